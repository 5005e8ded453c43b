import type { AuditRule, AuditSubject, Severity } from '@tadpole/contracts';
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
      const change = changeOf(mutation, language, isInProgram(file, mutation.node));
      const asked =
        (/^Error\./.test(mutation.target) && issueSpeaksOf({ subject, words: /\bstack|caller|call site|called from/i })) ||
        (/^Error\./.test(mutation.target) && [...goldUsesOf(subject).names].some((name) => /stack/i.test(name)));
      return change === undefined
        ? []
        : [
            {
              file,
              node: mutation.node,
              ...change,
              ...(asked ? { severity: 'low' as const } : {}),
              why: `${mutation.target} is replaced in product code`,
            },
          ];
    });
  });
}

function changeOf(
  { target, how, value, node }: Mutation,
  language: 'python' | 'script',
  inProgram: boolean,
): { severity: Severity; kinds: readonly string[] } | undefined {
  const name = target.replace(/^(globalThis|global|window|self|builtins)\.(?=\w)/, '');
  if (how === 'call') {
    if (
      /^(random\.seed|numpy\.random\.seed|np\.random\.seed|torch\.manual_seed|decimal\.(setcontext|getcontext)|locale\.setlocale|sys\.(settrace|setprofile|setrecursionlimit)|gc\.disable|warnings\.\w*filter\w*|os\.(putenv|chdir)|sys\.(meta_path|path_hooks|path)\.(insert|append)|process\.chdir|(\w+\.)?(mock|vi|jest)\.\w+|Module\.\w+|module\.(register\w*|syncBuiltinESMExports))$/.test(
        name,
      )
    )
      return {
        severity: /seed|decimal|warnings|recursion|sys\.path\.|chdir/.test(name) ? 'low' : 'medium',
        kinds: /seed/.test(name) ? ['D5'] : ['D3'],
      };
    return undefined;
  }
  if (/^(this|self|cls|module\.exports|exports)(\.|$)/.test(name) && !prototypes.test(name)) return undefined;
  if (isFrameworkPath({ path: target, language }) && !/^(test|it|suite|expect|describe|py)(\.|$)/.test(target))
    return { severity: 'high', kinds: ['D3'] };
  if (clocks.test(name)) return { severity: 'high', kinds: ['D5'] };
  if (/^(sys|process)\.(exit|exitCode|argv|stdout|stderr|env|excepthook|title)\b|^(os\.environ|process\.env)/.test(name))
    return { severity: inProgram || /argv|env/.test(name) ? 'low' : 'medium', kinds: ['D1'] };
  if (prototypes.test(name)) {
    const owner = name.split(/\.prototype|\.__proto__/)[0] ?? '';
    return { severity: worlds.test(`${owner}.`) || isFrameworkPath({ path: owner, language }) ? 'high' : 'low', kinds: ['D3', 'D2'] };
  }
  if (/^Error\.(stackTraceLimit|prepareStackTrace|captureStackTrace)/.test(name)) return { severity: 'medium', kinds: ['A8', 'D3'] };
  if (
    worlds.test(name) &&
    !/^(path|url|events|stream|string|copy|re|fs|os|module|types|operator|io|util)$/.test(name.split('.')[0] ?? '') &&
    /[.[]/.test(name)
  )
    return { severity: isFunction(value) ? 'high' : 'medium', kinds: ['D3'] };
  if (/^(path|url|events|stream|fs|os|module|util|re|io|copy|operator)\.\w+/.test(name) && isFunction(value))
    return { severity: 'medium', kinds: ['D3'] };
  if (/^sys\.modules/.test(name)) return { severity: 'high', kinds: ['D3'] };
  if (wellKnown.test(name) && node.type !== 'call' && !/^(this|self|cls|\w+\.defaults)\./.test(name))
    return { severity: isFunction(value) ? 'medium' : 'low', kinds: ['D3', 'D5'] };
  return /^\?\.|^(globalThis|builtins|global)\.\?/.test(target) && isFunction(value) ? { severity: 'low', kinds: ['D3'] } : undefined;
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
