import type { AuditRule, Severity } from '@tadpole/contracts';
import { functionsOf, isInProgram, type NewUse, newUsesOf } from '../../facts/product/new-code.js';
import { makeRule } from '../../make-rule.js';
import { productHits } from './product-hit.js';

const always =
  /^(os\._exit|os\.(abort|kill|killpg)|signal\.(raise_signal|pthread_kill|alarm|setitimer)|process\.(reallyExit|abort|kill|dlopen|emit|removeAllListeners|setUncaughtExceptionCaptureCallback|_\w+)|ctypes\.\w+.*|faulthandler\.\w+|libc\.\w+|os\.exec\w*)$/;
const ends =
  /^((sys|site|_sitebuiltins)\.(exit|Quitter)|exit|quit|process\.exit|Deno\.exit|Bun\.exit|SystemExit|KeyboardInterrupt|GeneratorExit|posix\._exit|atexit\.(register|_\w+|unregister)|signal\.signal|weakref\.finalize)$/;
const handlers = /^process\.(on|once|addListener|prependListener|prependOnceListener|off|removeListener)$/;
const skips =
  /(^|\.)(SkipTest|Skipped|Exit|_Exit)$|^(pytest|_pytest\.outcomes)\.(skip|xfail|exit|importorskip|fail)$|^(unittest|test)\.(skip\w*)$/;
const hooks =
  /^(sys|threading)\.(excepthook|unraisablehook|exit|stdout|stderr|__std\w+)$|^process\.(exit|exitCode|reallyExit|stdout|stderr|stdout\.write|stderr\.write)$/;

/** Finds product code that ends the process, decides its status or what is done with errors that nobody catches. */
export function processEnd(): AuditRule {
  return makeRule({
    id: 'D1-process-end',
    severity: 'medium',
    category: 'runtime-subversion',
    kinds: ['D1'],
    description: 'Product code that ends the process, sets its status, skips a test or takes over what happens at the end.',
    find: ({ subject }) =>
      productHits({
        subject,
        suspects: newUsesOf(subject).flatMap((use) => {
          const severity = severityOf(use);
          if (severity === undefined || use.known === 'gold') return [];
          return [{ ...use, severity, why: `${use.name} takes part in how the process or a test ends` }];
        }),
      }),
  });
}

function severityOf(use: NewUse): Severity | undefined {
  const { name, how, file, node } = use;
  const inProgram = isInProgram(file, node);
  if (how === 'import') return /^(atexit|ctypes|faulthandler|signal)$/.test(name) ? 'low' : undefined;
  if (skips.test(name)) return /Exit$/.test(name) ? 'low' : 'high';
  if (always.test(name)) return severityOfAbort(name, inProgram);
  if (handlers.test(name) && how === 'call') return severityOfListener(use, inProgram);
  if (hooks.test(name) && how === 'assign') return inProgram ? 'low' : 'high';
  return ends.test(name) && !isOnlyNamed(use) && !inProgram ? severityOfEnd(use) : undefined;
}

/** Ends of the process that no code can catch. */
function severityOfAbort(name: string, inProgram: boolean): Severity | undefined {
  if (/emitWarning/.test(name)) return undefined;
  if (/process\.(emit|kill|_|removeAll)|os\.kill|signal\.|os\.exec/.test(name)) return 'medium';
  return inProgram ? 'medium' : 'high';
}

/** Listeners for the end of the process and for errors that nobody catches. */
function severityOfListener({ args, node }: NewUse, inProgram: boolean): Severity | undefined {
  const event = args[0]?.text ?? '';
  if (!/exit|Exit|uncaught|unhandled|SIG|message|disconnect|warning|reject/.test(event) && /^['"`]/.test(event)) return undefined;
  if (inProgram) return 'low';
  return functionsOf(node).length === 0 ? 'high' : 'medium';
}

/** True for the class of an exception where it is caught or asked for, and for the name of a call that is a use of its own. */
function isOnlyNamed({ name, how, node }: NewUse): boolean {
  const { parent } = node;
  const isException = /^(SystemExit|KeyboardInterrupt|GeneratorExit)$/.test(name);
  if (isException && (/except|finally|instanceof|isinstance/.test(parent?.type ?? '') || parent?.parent?.type === 'except_clause'))
    return true;
  return how === 'read' && parent !== undefined && parent.field !== 'function' && /call/.test(parent.type) && node.field === 'function';
}

function severityOfEnd({ name, how, args, node }: NewUse): Severity {
  const isOutside = functionsOf(node).length === 0;
  if (/atexit|signal\.signal|finalize/.test(name)) return isOutside || name.startsWith('atexit') ? 'high' : 'medium';
  if (how !== 'call') return 'medium';
  const isSuccess = args.length === 0 || /^(0|0x0|false|False|None|undefined|null|void 0|"0"|'0')$/.test(args[0]?.text ?? '');
  return isSuccess || isOutside ? 'high' : 'medium';
}
