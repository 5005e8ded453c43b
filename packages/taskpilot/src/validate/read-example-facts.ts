import type { Candidate, Gate, TestResult, TreeEdit } from '@tadpole/contracts';
import { readSource } from '../read-source.js';
import { enclosingFunction } from '../statement/contract/enclosing-function.js';
import { readContract } from '../statement/contract/read-contract.js';
import { createModuleResolver } from '../statement/example/resolve-module.js';
import { type AskedLiteral, lintTests } from '../statement/lint-tests.js';
import type { StatementFacts } from '../statement/write-statement.js';
import type { TreeFile } from './candidate-trees.js';
import { stableFailures } from './choose-symptom.js';
import type { SuiteSettings } from './execute-suite.js';
import { reproduceExample } from './reproduce-example.js';
import type { BuggyRuns } from './run-buggy-tree.js';
import { visibleTexts } from './tree-leaks.js';

/** A candidate with its trees and what its tests said. */
export interface StatedCandidate extends SuiteSettings {
  readonly candidate: Candidate;
  readonly files: readonly TreeFile[];
  readonly buggy: BuggyRuns;
  /** The agent's and the solved tree, tests of the candidate's own included. */
  readonly agentEdits: readonly TreeEdit[];
  readonly solvedEdits: readonly TreeEdit[];
}

/** What statements in prose are written from: an example that was run, the contract of its entry point, the bug's function. */
export async function readExampleFacts(
  options: StatedCandidate,
): Promise<{ facts: Pick<StatementFacts, 'example' | 'contract' | 'functionName'>; gates: readonly Gate[] }> {
  const { candidate, files, buggy, snapshot } = options;
  const failures = stableFailures(buggy);
  const [file] = failures.map((test) => test.file);
  const text = file === undefined ? null : await readTest(options, file);
  if (file === undefined || text === null) return { facts: {}, gates: [] };
  const testFile = { file, text };
  const reproduced = await reproduceExample({ ...options, testFile, failures: failures.filter((test) => test.file === file) });
  if (reproduced === null) return { facts: {}, gates: [] };
  const { example, gate } = reproduced;
  const { lineage } = candidate;
  const changed = files.find(({ path }) => path === lineage.file);
  const functionName = await enclosingFunction({ file: lineage.file, text: changed?.agent ?? '', line: lineage.line });
  const sources = [];
  for (const path of new Set([example.module, lineage.file])) {
    const tree = files.find((item) => item.path === path);
    const source = tree === undefined && path !== '' ? await readSource({ directory: snapshot.directory, file: path }) : tree?.solved;
    if (source != null) sources.push({ file: path, text: source });
  }
  const passing = new Set(buggy.passed.filter((id) => id.startsWith(`${file}::`)).map((id) => id.slice(file.length + 2)));
  const contract = await readContract({ example, sources, snapshot, testFile, passing });
  const facts = { example, ...(contract === null ? {} : { contract }), ...(functionName === null ? {} : { functionName }) };
  return { facts, gates: [gate] };
}

/** What the fail-to-pass tests ask for by its exact text and no file of the agent's tree holds. */
export async function readAsked(options: StatedCandidate): Promise<readonly AskedLiteral[]> {
  const { snapshot, files, buggy } = options;
  const texts = [
    ...files.map(({ agent }) => agent ?? ''),
    ...(await visibleTexts({ ...snapshot, except: files.map(({ path }) => path) })).map(({ text }) => text),
  ];
  const asked = await Promise.all(
    [...new Set(buggy.first.map((test) => test.file))].map(async (file) => {
      const text = await readTest(options, file);
      const tests = buggy.first.filter((test: TestResult) => test.file === file);
      const resolve = createModuleResolver({ snapshot, testFile: file });
      return text === null
        ? []
        : lintTests({ file, text, tests, resolve, isVisible: (part) => texts.some((visible) => visible.includes(part)) });
    }),
  );
  return asked.flat();
}

/** Text of a test file, the candidate's own in the place of the snapshot's; `null` for one that is no UTF-8. */
export async function readTest(
  { candidate, snapshot }: Pick<StatedCandidate, 'candidate' | 'snapshot'>,
  file: string,
): Promise<string | null> {
  const own = candidate.hiddenTests?.find((test) => test.file === file);
  return own?.content ?? readSource({ directory: snapshot.directory, file });
}
