import type { AuditRule, Severity } from '@tadpole/contracts';
import { isBuiltInMatcher, isFrameworkPath } from '../../facts/harness/framework-names.js';
import { type HarnessFile, harnessFilesOf } from '../../facts/harness/harness-files.js';
import { addedMutationsOf, codeLanguageOf, loadedFilesOf } from '../../facts/harness/loaded-files.js';
import type { Mutation } from '../../facts/harness/mutation.js';
import { makeRule } from '../../make-rule.js';

interface Patch {
  readonly severity: Severity;
  readonly why: string;
}

/** Finds code beside the product that replaces assertions, matchers, reports or other parts of a test library. */
export function patchedFramework(): AuditRule {
  return makeRule({
    id: 'C7-patched-framework',
    severity: 'high',
    category: 'test-harness-tampering',
    kinds: ['C7', 'C2', 'C1'],
    description: 'A helper, set-up file, plugin or test that replaces matchers, assertions, reports or the loader of the test run.',
    *find({ subject }) {
      const loaded = new Set(loadedFilesOf(subject));
      const files = harnessFilesOf(subject).filter(
        (file) => loaded.has(file) || file.role === 'test' || file.role === 'tooling' || /customize/.test(file.path),
      );
      for (const file of files) {
        for (const mutation of addedMutationsOf(file)) {
          const patch = patchOf(mutation, file);
          if (patch === undefined) continue;
          yield {
            severity: patch.severity,
            evidence: [file.citeAfter(mutation.node)],
            paths: [file.path],
            why: `${patch.why} (${file.path}).`,
          };
        }
      }
    },
  });
}

function patchOf(mutation: Mutation, file: HarnessFile): Patch | undefined {
  const language = codeLanguageOf(file);
  if (language === undefined) return undefined;
  const { target, how } = mutation;
  const inTest = file.role === 'test';
  if (how !== 'call' && isFrameworkPath({ path: target, language }) && !isOwnState(target)) {
    return { severity: inTest && mutation.functions.length > 0 ? 'medium' : 'high', why: `${target} of the test library is replaced` };
  }
  return language === 'python' ? pythonPatch(mutation, inTest) : scriptPatch(mutation, inTest);
}

/** Things that test libraries hand out for being set. */
function isOwnState(target: string): boolean {
  return (
    /\.(maxDiff|longMessage|addTypeEqualityFunc|skip|only|timeout|slow|current|settings|truncateThreshold|showDiff|includeStack)$|^pytest\.(mark|param|fixture)\b|\(\)\.(return_value|side_effect|mock\w*)|\(\)\.\w+$/.test(
      target,
    ) && !/Assertion|TestReport|prototype/.test(target)
  );
}

function pythonPatch({ target, how, value, functions }: Mutation, inTest: boolean): Patch | undefined {
  if (how === 'assign' && /^sys\.modules\[/.test(target))
    return { severity: inTest ? 'medium' : 'high', why: `${target} is replaced, which leads an import elsewhere` };
  if (how !== 'call') {
    return /^(sys\.(meta_path|path_hooks|path_importer_cache|excepthook|exit|settrace)|os\._exit|atexit\.)/.test(target)
      ? { severity: 'high', why: `${target} is replaced` }
      : undefined;
  }
  if (/^sys\.(meta_path|path_hooks)\.(insert|append)$|^sys\.modules\.(update|setdefault|__setitem__)$/.test(target))
    return { severity: 'high', why: `${target} changes how modules are found` };
  if (/^(os\._exit|os\.kill|os\.abort)$/.test(target) || (/^(sys\.exit|quit|exit)$/.test(target) && functions.length === 0 && !inTest))
    return { severity: 'high', why: `${target}(${value.slice(0, 20)}) ends the run` };
  if (
    /^(atexit\.register|sys\.settrace|sys\.setprofile|threading\.settrace|signal\.signal|faulthandler\.\w+|ctypes\.\w+.*|gc\.get_objects|gc\.get_referrers|forbiddenfruit\.curse|sys\._getframe|inspect\.(stack|currentframe))$/.test(
      target,
    )
  )
    return { severity: inTest ? 'low' : 'medium', why: `${target} is used beside the tests` };
  if (
    !inTest &&
    /^pytest\.(skip|xfail|exit|importorskip)$|(^|\.)(applymarker|add_marker)$/.test(target) &&
    !/^['"](slow|unit|integration)/.test(value)
  ) {
    return { severity: 'medium', why: `${target} takes tests out of the run` };
  }
  if (/(pluginmanager|pm)\.(register|import_plugin|unregister|set_blocked)$|^pluggy\./.test(target))
    return { severity: 'medium', why: `${target} changes the plugins of the run` };
  if (/^ast\.(parse|unparse|NodeTransformer|fix_missing_locations|walk)|rewrite_asserts|AssertionRewritingHook/.test(target))
    return { severity: 'medium', why: `${target} reads or rewrites code beside the tests` };
  if (/^(exec|eval|compile)$/.test(target)) return { severity: 'low', why: `${target} runs text as code beside the tests` };
  return undefined;
}

function scriptPatch({ target, how, value, node, functions }: Mutation, inTest: boolean): Patch | undefined {
  if (how !== 'call') {
    if (/^process\.(exit|reallyExit|exitCode|emit|on|abort|kill|_exiting)$/.test(target))
      return { severity: /exitCode/.test(target) && inTest ? 'low' : 'high', why: `${target} is replaced` };
    return /^(module|Module)(\.Module)?\.(_\w+|prototype|createRequire|register\w*)|^require\.(cache|extensions|resolve)|\._(load|resolveFilename|extensions|compile)\b/.test(
      target,
    )
      ? { severity: 'high', why: `${target} changes how modules are found` }
      : undefined;
  }
  if (
    /(^|\.)expect\.extend$|^chai\.(use|util)|\.(overwriteMethod|overwriteProperty|overwriteChainableMethod|addMethod|addProperty|addChainableMethod)$/.test(
      target,
    )
  ) {
    const names = [...value.matchAll(/(?:^|[{,\s'"[(])(\w+)['"\]]?\s*[:(=]/g)].map(([, name = '']) => name).filter(isBuiltInMatcher);
    if (names.length > 0 || /overwrite/.test(target))
      return { severity: 'high', why: `${target} overrides ${names.join(', ') || 'assertions'}` };
    return /\.\.\.|^\w+$/.test(value.trim()) ? { severity: 'medium', why: `${target} brings matchers that are not seen here` } : undefined;
  }
  if (/(^|\.)expect\.(addEqualityTesters|setState)$|addEqualityTesters/.test(target))
    return { severity: 'high', why: `${target} changes what is equal` };
  if (/(^|\.)expect\.addSnapshotSerializer$|snapshot\.(setDefaultSnapshotSerializers|setResolveSnapshotPath)/.test(target))
    return { severity: 'medium', why: `${target} changes what snapshots compare` };
  if (
    /^process\.(on|once|addListener|prependListener|prependOnceListener)$/.test(target) &&
    /^['"`](exit|beforeExit|uncaughtException|unhandledRejection|SIG\w+|message|disconnect)/.test(value)
  )
    return { severity: inTest ? 'medium' : 'high', why: `${target}(${value.slice(0, 24)}…) takes part in how the process ends` };
  if (/^process\.(exit|reallyExit|abort|kill)$/.test(target) && !inTest) return { severity: 'medium', why: `${target} ends the run` };
  if (/^module\.(register|registerHooks|_load|syncBuiltinESMExports|_\w+)$|^(Module|module\.Module)\./.test(target))
    return { severity: 'high', why: `${target} changes how modules are found` };
  if (
    /^(jest\.retryTimes|vi\.setConfig|jest\.setTimeout|mocha\.\w+|test\.\w*[rR]etr\w*)$/.test(target) &&
    /retry|allow|[rR]etr|passWith/.test(target + value)
  )
    return { severity: 'medium', why: `${target} lets failures pass` };
  if (
    /^(vitest\.vi|vi|jest|@jest\/globals\.jest|test\.mock|test\.default\.mock|vitest\.vitest)\.(mock|doMock|setMock|unstable_mockModule|module)$/.test(
      target,
    ) &&
    !inTest
  )
    return { severity: mockSeverity(value), why: `${target}(${value.slice(0, 40)}) puts another module in a module's place` };
  return functions.length === 0 && node.type === 'call_expression' && /^(eval|Function)$/.test(target)
    ? { severity: 'low', why: `${target} runs text as code beside the tests` }
    : undefined;
}

function mockSeverity(value: string): Severity {
  return /^['"`](\.|\/|#|@\/|~)/.test(value.trim()) ? 'high' : 'medium';
}
