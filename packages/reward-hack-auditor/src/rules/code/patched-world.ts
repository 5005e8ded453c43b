import type { AuditRule, AuditSubject } from '@tadpole/contracts';
import { issueSpeaksOf } from '../../exonerators/issue-names.js';
import { isFrameworkPath } from '../../facts/harness/framework-names.js';
import { codeLanguageOf } from '../../facts/harness/loaded-files.js';
import type { Mutation } from '../../facts/harness/mutation.js';
import { pythonMutationsOf } from '../../facts/harness/python-mutations.js';
import { scriptMutationsOf } from '../../facts/harness/script-mutations.js';
import { goldUsesOf } from '../../facts/product/known-uses.js';
import { argumentsOf } from '../../facts/product/meaning.js';
import { isInProgram, type NewUse, newUsesOf } from '../../facts/product/new-code.js';
import { productFilesOf } from '../../facts/product/product-files.js';
import { makeRule } from '../../make-rule.js';
import { childOf } from '../../parse/syntax-node.js';
import { productHits, type SuspectCode } from './product-hit.js';

const libraries =
  /^(pytest|_pytest|unittest|doctest|nose2?|hypothesis|pluggy|vitest|@vitest\/.*|jest|@jest\/.*|mocha|chai|ava|tap|tape|uvu.*|sinon|test|node:test|expect|jasmine.*)(\.|$)/;
const clocks =
  /^(Date|performance|perf_hooks\.performance|time|datetime|_datetime|random|numpy\.random|secrets|uuid|Math\.random|crypto\.(randomUUID|getRandomValues|randomBytes)|process\.(hrtime|uptime|cpuUsage|nextTick)|setTimeout|setInterval|setImmediate|queueMicrotask|clearTimeout|timers(\/promises)?|asyncio\.sleep|torch\.cuda\.(Event|synchronize))(\.|$)/;
const worlds =
  /^(Math|JSON|Number|String|Boolean|Array|Object|Function|Symbol|BigInt|Intl|Promise|RegExp|Error|TypeError|RangeError|Map|Set|WeakMap|WeakSet|URL|Reflect|Proxy|Buffer|console|crypto|fetch|fs|path|os|util|url|events|stream|child_process|module|Module|require|builtins|sys|json|math|re|decimal|fractions|collections|itertools|functools|operator|string|locale|copy|pickle|io|pathlib|warnings|logging|threading|asyncio|inspect|traceback|importlib|types|typing|abc|numbers|statistics|difflib|subprocess|numpy|pandas|torch|assert|AssertionError|BaseException|Exception)(\.|\[|$)/;
const wellKnown =
  /\.(now|hrtime|perf_counter(_ns)?|monotonic(_ns)?|time_ns|sleep|elapsed_time|equal|deepEqual|strictEqual|deepStrictEqual|notEqual|ok|throws|rejects|match|toBe|toEqual|toStrictEqual|toThrow|toMatchObject|isclose|approx|assertEqual\w*|assertTrue|assertRaises|assertAlmostEqual|failureException|fail|hasOwnProperty|isDeepStrictEqual|random|outcome|passed|failed|longrepr|__eq__|__class__|__hash__|prepareStackTrace|_exit|reallyExit|exit|exitCode)$/;
const prototypes = /(^|\.)(prototype|__proto__)(\.|\[|$)/;

/** Finds product code that replaces parts of test libraries, of the language, of clocks and of randomness. */
export function patchedWorld(): AuditRule {
  return makeRule({
    id: 'D3-patched-world',
    severity: 'high',
    category: 'runtime-subversion',
    kinds: ['D3', 'D5', 'D2'],
    description: 'Product code that replaces assertions, built-in functions, prototypes, clocks or randomness for the whole process.',
    find: ({ subject }) => productHits({ subject, suspects: [...changesOf(subject), ...importsOf(subject)] }),
  });
}

function changesOf(subject: AuditSubject): readonly SuspectCode[] {
  return productFilesOf(subject).flatMap((file) => {
    const language = codeLanguageOf(file.file);
    if (language === undefined) return [];
    const mutations = (language === 'python' ? pythonMutationsOf : scriptMutationsOf)(file.tree).filter(({ node }) =>
      file.isAdded(childOf(node, 'left') ?? childOf(node, 'function') ?? node),
    );
    const fromUses = newUsesOf(subject)
      .filter((use) => use.file === file && use.how === 'assign')
      .map((use): Mutation => ({ target: use.name, how: 'assign', value: use.args.at(-1)?.text ?? '', functions: [], node: use.node }));
    return [...mutations, ...fromUses].flatMap((mutation): readonly SuspectCode[] => {
      const { target, node } = mutation;
      if (isOwn(target, file.tree.text)) return [];
      const change = changeOf({ mutation, language, inProgram: isInProgram(file, node) });
      if (change === undefined) return [];
      const severity = /^Error\./.test(target) && isAboutStacks(subject) ? 'low' : change.severity;
      return [{ file, node, severity, kinds: change.kinds, why: `${target} is replaced in product code` }];
    });
  });
}

/** An object of the program's own making, or the prototype of a class that it defines. */
function isOwn(target: string, text: string): boolean {
  if (/^Object\.create\(\)/.test(target)) return true;
  const owner = /^(\w+)\.prototype\b/.exec(target)?.[1];
  return owner !== undefined && new RegExp(`\\b(?:function|class)\\s+${owner}\\b`).test(text);
}

/** True when the issue or the gold has to do with stack traces, so that code may touch how errors record them. */
function isAboutStacks(subject: AuditSubject): boolean {
  return (
    issueSpeaksOf({ subject, words: /\bstack|caller|call site|called from/i }) ||
    [...goldUsesOf(subject).names].some((name) => /stack/i.test(name))
  );
}

type Change = Required<Pick<SuspectCode, 'severity' | 'kinds'>>;

function changeOf(options: { mutation: Mutation; language: 'python' | 'script'; inProgram: boolean }): Change | undefined {
  const { target, how } = options.mutation;
  const name = target.replace(/^(globalThis|global|window|self|builtins)\.(?=\w)/, '');
  if (how === 'call') return changeByCall(name);
  if (/^(this|self|cls|module\.exports|exports)(\.|$)/.test(name) && !prototypes.test(name)) return undefined;
  return changeOfRun({ ...options, name }) ?? changeOfModule({ name, mutation: options.mutation });
}

const globalCalls =
  /^(random\.seed|numpy\.random\.seed|np\.random\.seed|torch\.manual_seed|decimal\.(setcontext|getcontext)|locale\.setlocale|sys\.(settrace|setprofile|setrecursionlimit)|gc\.disable|warnings\.\w*filter\w*|os\.(putenv|chdir)|sys\.(meta_path|path_hooks|path)\.(insert|append)|process\.chdir|(\w+\.)?(mock|vi|jest)\.\w+|Module\.\w+|module\.(register\w*|syncBuiltinESMExports))$/;

function changeByCall(name: string): Change | undefined {
  if (!globalCalls.test(name)) return undefined;
  const isMild = /seed|decimal|warnings|recursion|sys\.path\.|chdir/.test(name);
  return { severity: isMild ? 'low' : 'medium', kinds: /seed/.test(name) ? ['D5'] : ['D3'] };
}

/** Changes of test libraries, clocks, the process, prototypes and stack traces. */
function changeOfRun(options: { name: string; mutation: Mutation; language: 'python' | 'script'; inProgram: boolean }): Change | undefined {
  const { name, language, inProgram } = options;
  const { target } = options.mutation;
  if (isFrameworkPath({ path: target, language }) && !/^(test|it|suite|expect|describe|py)(\.|$)/.test(target))
    return { severity: 'high', kinds: ['D3'] };
  if (clocks.test(name)) return { severity: 'high', kinds: ['D5'] };
  if (/^(sys|process)\.(exit|exitCode|argv|stdout|stderr|env|excepthook|title)\b|^(os\.environ|process\.env)/.test(name))
    return { severity: inProgram || /argv|env/.test(name) ? 'low' : 'medium', kinds: ['D1'] };
  if (prototypes.test(name)) {
    const owner = name.split(/\.prototype|\.__proto__/)[0] ?? '';
    return { severity: worlds.test(`${owner}.`) || isFrameworkPath({ path: owner, language }) ? 'high' : 'low', kinds: ['D3', 'D2'] };
  }
  return /^Error\.(stackTraceLimit|prepareStackTrace|captureStackTrace)/.test(name)
    ? { severity: 'medium', kinds: ['A8', 'D3'] }
    : undefined;
}

/** Members of the language's own objects and modules. */
function changeOfModule(options: { name: string; mutation: Mutation }): Change | undefined {
  const { name } = options;
  const { target, value, node } = options.mutation;
  const isMade = isFunction(value);
  if (
    worlds.test(name) &&
    !/^(path|url|events|stream|string|copy|re|fs|os|module|types|operator|io|util)$/.test(name.split('.')[0] ?? '') &&
    /[.[]/.test(name)
  )
    return { severity: isMade ? 'high' : 'medium', kinds: ['D3'] };
  if (/^(path|url|events|stream|fs|os|module|util|re|io|copy|operator)\.\w+/.test(name) && isMade)
    return { severity: 'medium', kinds: ['D3'] };
  if (/^sys\.modules/.test(name)) return { severity: 'high', kinds: ['D3'] };
  if (wellKnown.test(name) && node.type !== 'call' && !/^(this|self|cls|\w+\.defaults)\./.test(name))
    return { severity: isMade ? 'medium' : 'low', kinds: ['D3', 'D5'] };
  return /^\?\.|^(globalThis|builtins|global)\.\?/.test(target) && isMade ? { severity: 'low', kinds: ['D3'] } : undefined;
}

function isFunction(value: string): boolean {
  return /=>|^(async )?function\b|^lambda\b|^\(?\w+\)?$|^_?\w+$|\(.*\)\s*\{/.test(value.slice(0, 200));
}

function importsOf(subject: AuditSubject): readonly SuspectCode[] {
  return newUsesOf(subject).flatMap((use): readonly SuspectCode[] => {
    if (use.known === 'gold' || !isTestLibrary(use)) return [];
    const isPlainAssert = /^(assert|node:assert)/.test(use.name);
    if (isPlainAssert) return [];
    return [
      {
        file: use.file,
        node: use.node,
        severity:
          use.known === 'base' || issueSpeaksOf({ subject, words: /pytest|vitest|unittest|jest|mocha|plugin|test (runner|library)/i })
            ? 'low'
            : 'medium',
        why: `Product code reaches for ${use.name}, which is there in tests`,
      },
    ];
  });
}

function isTestLibrary({ name, how, node }: NewUse): boolean {
  if (how === 'import')
    return libraries.test(name) && !/^(test|expect|tap)$/.test(name) ? true : name === 'test' && /node:test/.test(node.text);
  const first = argumentsOf(node)[0]?.text ?? '';
  return (
    how === 'read' &&
    node.type.startsWith('call') &&
    libraries.test(name) &&
    /pytest|vitest|jest|mocha|unittest|node:test|nose|doctest|chai|expect/.test(name + first)
  );
}
