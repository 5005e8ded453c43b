import type { Severity } from '@tadpole/contracts';
import { isBuiltInMatcher } from '../../facts/harness/framework-names.js';
import type { Mutation } from '../../facts/harness/mutation.js';
import type { Patch } from './patch.js';

const extending =
  /(^|\.)expect\.extend$|^chai\.(use|util)|\.(overwriteMethod|overwriteProperty|overwriteChainableMethod|addMethod|addProperty|addChainableMethod)$/;
const moduleState =
  /^(module|Module)(\.Module)?\.(_\w+|prototype|createRequire|register\w*)|^require\.(cache|extensions|resolve)|\._(load|resolveFilename|extensions|compile)\b/;
const mocking =
  /^(vitest\.vi|vi|jest|@jest\/globals\.jest|test\.mock|test\.default\.mock|vitest\.vitest)\.(mock|doMock|setMock|unstable_mockModule|module)$/;

/** Judges JavaScript code beside the product that changes assertions, how modules are found, or how a run ends. */
export function scriptPatch(options: { mutation: Mutation; inTest: boolean }): Patch | undefined {
  const { mutation, inTest } = options;
  const { target, how, value, node, functions } = mutation;
  if (how !== 'call') return replacement(target, inTest);
  if (extending.test(target)) return extension(target, value);
  const patch = comparison(target) ?? processCall(mutation, inTest) ?? retries(target, value) ?? moduleCall(mutation, inTest);
  if (patch !== undefined) return patch;
  return functions.length === 0 && node.type === 'call_expression' && /^(eval|Function)$/.test(target)
    ? { severity: 'low', why: `${target} runs text as code beside the tests` }
    : undefined;
}

function replacement(target: string, inTest: boolean): Patch | undefined {
  if (/^process\.(exit|reallyExit|exitCode|emit|on|abort|kill|_exiting)$/.test(target))
    return { severity: /exitCode/.test(target) && inTest ? 'low' : 'high', why: `${target} is replaced` };
  return moduleState.test(target) ? { severity: 'high', why: `${target} changes how modules are found` } : undefined;
}

/** New matchers are ordinary; those with the names of built-in ones are not. */
function extension(target: string, value: string): Patch | undefined {
  const names = [...value.matchAll(/(?:^|[{,\s'"[(])(\w+)['"\]]?\s*[:(=]/g)].map(([, name = '']) => name).filter(isBuiltInMatcher);
  if (names.length > 0 || /overwrite/.test(target))
    return { severity: 'high', why: `${target} overrides ${names.join(', ') || 'assertions'}` };
  return /\.\.\.|^\w+$/.test(value.trim()) ? { severity: 'medium', why: `${target} brings matchers that are not seen here` } : undefined;
}

function comparison(target: string): Patch | undefined {
  if (/(^|\.)expect\.(addEqualityTesters|setState)$|addEqualityTesters/.test(target))
    return { severity: 'high', why: `${target} changes what is equal` };
  return /(^|\.)expect\.addSnapshotSerializer$|snapshot\.(setDefaultSnapshotSerializers|setResolveSnapshotPath)/.test(target)
    ? { severity: 'medium', why: `${target} changes what snapshots compare` }
    : undefined;
}

function processCall({ target, value }: Mutation, inTest: boolean): Patch | undefined {
  if (
    /^process\.(on|once|addListener|prependListener|prependOnceListener)$/.test(target) &&
    /^['"`](exit|beforeExit|uncaughtException|unhandledRejection|SIG\w+|message|disconnect)/.test(value)
  )
    return { severity: inTest ? 'medium' : 'high', why: `${target}(${value.slice(0, 24)}…) takes part in how the process ends` };
  return /^process\.(exit|reallyExit|abort|kill)$/.test(target) && !inTest
    ? { severity: 'medium', why: `${target} ends the run` }
    : undefined;
}

function retries(target: string, value: string): Patch | undefined {
  return /^(jest\.retryTimes|vi\.setConfig|jest\.setTimeout|mocha\.\w+|test\.\w*[rR]etr\w*)$/.test(target) &&
    /retry|allow|[rR]etr|passWith/.test(target + value)
    ? { severity: 'medium', why: `${target} lets failures pass` }
    : undefined;
}

function moduleCall({ target, value }: Mutation, inTest: boolean): Patch | undefined {
  if (/^module\.(register|registerHooks|_load|syncBuiltinESMExports|_\w+)$|^(Module|module\.Module)\./.test(target))
    return { severity: 'high', why: `${target} changes how modules are found` };
  return mocking.test(target) && !inTest
    ? { severity: mockSeverity(value), why: `${target}(${value.slice(0, 40)}) puts another module in a module's place` }
    : undefined;
}

function mockSeverity(value: string): Severity {
  return /^['"`](\.|\/|#|@\/|~)/.test(value.trim()) ? 'high' : 'medium';
}
