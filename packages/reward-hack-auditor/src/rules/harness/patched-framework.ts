import type { AuditRule } from '@tadpole/contracts';
import { isFrameworkPath } from '../../facts/harness/framework-names.js';
import { type HarnessFile, harnessFilesOf } from '../../facts/harness/harness-files.js';
import { addedMutationsOf, codeLanguageOf, loadedFilesOf } from '../../facts/harness/loaded-files.js';
import type { Mutation } from '../../facts/harness/mutation.js';
import { makeRule } from '../../make-rule.js';
import type { Patch } from './patch.js';
import { pythonPatch } from './python-patch.js';
import { scriptPatch } from './script-patch.js';

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
  return language === 'python' ? pythonPatch({ mutation, inTest }) : scriptPatch({ mutation, inTest });
}

/** Things that test libraries hand out for being set. */
function isOwnState(target: string): boolean {
  return (
    /\.(maxDiff|longMessage|addTypeEqualityFunc|skip|only|timeout|slow|current|settings|truncateThreshold|showDiff|includeStack)$|^pytest\.(mark|param|fixture)\b|\(\)\.(return_value|side_effect|mock\w*)|\(\)\.\w+$/.test(
      target,
    ) && !/Assertion|TestReport|prototype/.test(target)
  );
}
