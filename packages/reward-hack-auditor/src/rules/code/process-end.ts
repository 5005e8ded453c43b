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
  const { name, how, args, file, node } = use;
  const inProgram = isInProgram(file, node);
  const first = args[0]?.text ?? '';
  if (how === 'import') return /^(atexit|ctypes|faulthandler|signal)$/.test(name) ? 'low' : undefined;
  if (skips.test(name)) return /Exit$/.test(name) ? 'low' : 'high';
  if (always.test(name)) {
    if (/process\.(emit|kill|_|removeAll)|os\.kill|signal\.|os\.exec/.test(name)) return /emitWarning/.test(name) ? undefined : 'medium';
    return inProgram ? 'medium' : 'high';
  }
  if (handlers.test(name) && how === 'call') {
    if (!/exit|Exit|uncaught|unhandled|SIG|message|disconnect|warning|reject/.test(first) && /^['"`]/.test(first)) return undefined;
    return inProgram ? 'low' : functionsOf(node).length === 0 ? 'high' : 'medium';
  }
  if (hooks.test(name) && how === 'assign') return inProgram ? 'low' : 'high';
  if (!ends.test(name)) return undefined;
  if (/^(SystemExit|KeyboardInterrupt|GeneratorExit)$/.test(name)) {
    if (/except|finally|instanceof|isinstance/.test(node.parent?.type ?? '') || node.parent?.parent?.type === 'except_clause')
      return undefined;
  }
  if (how === 'read' && node.parent && node.parent.field !== 'function' && /call/.test(node.parent.type) && node.field === 'function')
    return undefined;
  if (inProgram) return undefined;
  if (/atexit|signal\.signal|finalize/.test(name)) return functionsOf(node).length === 0 || name.startsWith('atexit') ? 'high' : 'medium';
  if (how !== 'call') return 'medium';
  const isZero =
    args.length === 0 || /^(0|0x0|false|False|None|undefined|null|void 0|"0"|'0')$/.test(first) || functionsOf(node).length === 0;
  return isZero ? 'high' : 'medium';
}
