import type { Gate, TreeEdit } from '@tadpole/contracts';
import { gitPatch } from '../edit/git-patch.js';
import { bothChanges } from './both-changes.js';
import type { TreeFile } from './candidate-trees.js';
import { changedLines } from './changed-lines.js';
import { compareSuite, type SuiteSettings } from './execute-suite.js';
import { impactedTestFiles, type TestFilesFor } from './impacted-test-files.js';
import { Refusal } from './validation.js';

/** Other texts of a solved file, each changed inside the lines that the gold patch writes. */
export type SolvedVariants = (options: {
  file: string;
  /** The whole file as the gold patch leaves it. */
  text: string;
  /** 1-based lines that the gold patch adds or stands around, both ends included. */
  lines: { readonly start: number; readonly end: number };
  random: () => number;
}) => Promise<readonly string[]>;

interface ControlSettings extends SuiteSettings {
  readonly files: readonly TreeFile[];
  /** The solved tree, the candidate's own tests included. */
  readonly solvedEdits: readonly TreeEdit[];
  /** F2P and P2P. */
  readonly graded: readonly string[];
  /** Test files that hold the F2P tests, those with most first: the likely ones to notice a wrong fix. */
  readonly nearFiles: readonly string[];
  /** Leaves out test files that cannot tell a tree from the snapshot. */
  readonly testFilesFor: TestFilesFor | undefined;
  readonly variants: SolvedVariants;
  readonly random: () => number;
}

/** A wrong fix that was run, and how it was found out. */
interface ControlOutcome {
  readonly patch: string;
  readonly outcome: string;
}

/** A tree to grade: the solved one with a changed file in another text. */
interface ControlTree {
  readonly file: string;
  readonly content: string;
  readonly edits: readonly TreeEdit[];
  /** Test files that reach what differs from the snapshot, those with F2P tests among them; all where that is not known. */
  readonly testFiles: readonly string[];
  /** Agent's tree to this tree: what a grader takes. */
  readonly patch: string;
}

/** So many test files are run first where a failure is looked for. */
const mostNear = 3;

/**
 * Wrong fixes must fail: bugs put into the lines of the gold patch. Up to four are tried until two were noticed or no longer can
 * be: first each in the likeliest test files, then those that these let through in the others that reach them. A suite that lets
 * more through grades by luck (taskpilot.md section 1, "weak hidden tests"). Throws {@link Refusal}.
 */
export async function wrongFixesFail(settings: ControlSettings): Promise<Gate> {
  const name = 'wrong-fixes-fail';
  const [enough, most] = [2, 4];
  const trees = (await controlTrees(settings)).slice(0, most);
  const needed = Math.min(enough, trees.length);
  const nearest = settings.snapshot.testFiles.filter((file) => settings.nearFiles.slice(0, mostNear).includes(file));
  const [noticed, passed]: [ControlOutcome[], ControlOutcome[]] = [[], []];
  const undecided: (ControlTree & { readonly others: readonly string[] })[] = [];
  for (const [tried, tree] of trees.entries()) {
    if (noticed.length === needed || noticed.length + undecided.length + trees.length - tried < needed) break;
    const outcome = await outcomeOf({ ...settings, ...tree, testFiles: nearest });
    const others = tree.testFiles.filter((file) => !nearest.includes(file));
    if (outcome === 'passed' && others.length > 0) undecided.push({ ...tree, others });
    else (outcome === 'passed' ? passed : noticed).push({ patch: tree.patch, outcome });
  }
  for (const [tried, { patch, others, ...tree }] of undecided.entries()) {
    if (noticed.length === needed || noticed.length + undecided.length - tried < needed) break;
    const outcome = await outcomeOf({ ...settings, ...tree, testFiles: others });
    (outcome === 'passed' ? passed : noticed).push({ patch, outcome });
  }
  const evidence = { wrongFixes: [...noticed, ...passed] };
  if (noticed.length === needed) return { name, passed: true, evidence };
  const detail = `${noticed.length} of ${noticed.length + passed.length} wrong fixes were noticed`;
  throw new Refusal({ reason: 'weak-tests', detail, gate: name, evidence });
}

/**
 * Right fixes in another form must pass: up to two rewrites of the gold patch that keep its behaviour, both in one tree where they
 * do not touch; else the second is run in the files of the F2P tests alone. Throws {@link Refusal}.
 */
export async function otherFixesPass(settings: ControlSettings): Promise<Gate> {
  const name = 'other-fixes-pass';
  const [first, ...others] = await controlTrees(settings);
  if (first === undefined) return { name, passed: true, evidence: { otherFixes: [] } };
  const pairs = others.map((other) => ({ other, joined: joinTrees({ settings, trees: [first, other] }) }));
  const { other, joined } = pairs.find((pair) => pair.joined !== null) ?? pairs[0] ?? {};
  const trees = other === undefined ? [first] : [first, other];
  const evidence = { otherFixes: trees.map(({ patch }) => ({ patch })) };
  const near = settings.snapshot.testFiles.filter((file) => settings.nearFiles.includes(file));
  if (joined && (await outcomeOf({ ...settings, ...joined })) === 'passed') return { name, passed: true, evidence };
  for (const { patch, edits, testFiles } of trees) {
    // What failed together may have failed in any file.
    const isSecondApart = joined === null && patch !== first.patch;
    const outcome = await outcomeOf({ ...settings, edits, testFiles: isSecondApart ? near : testFiles });
    if (outcome !== 'passed')
      throw new Refusal({
        reason: 'over-tight-tests',
        detail: `another form of the gold patch ${outcome}`,
        gate: name,
        evidence: { patch },
      });
  }
  return { name, passed: true, evidence };
}

/** Two trees as one, which passes only if both do; `null` where they cannot be. */
function joinTrees({ settings, trees: [one, other] }: { settings: ControlSettings; trees: readonly [ControlTree, ControlTree] }) {
  const base = settings.files.find(({ path }) => path === one.file)?.solved;
  if (one.file !== other.file || typeof base !== 'string') return null;
  const content = bothChanges({ base, one: one.content, other: other.content });
  return content === null ? null : controlTree({ settings, file: one.file, content });
}

/** The solved tree with one of its changed files in another text, for every variant of every file. */
async function controlTrees(settings: ControlSettings): Promise<ControlTree[]> {
  const { files, variants, random } = settings;
  const trees: ControlTree[] = [];
  for (const { path: file, agent, solved: text } of files) {
    if (text === null || text === agent) continue;
    for (const content of await variants({ file, text, lines: changedLines({ before: agent ?? '', after: text }), random })) {
      if (content !== text && content !== agent) trees.push(controlTree({ settings, file, content }));
    }
  }
  return trees;
}

function controlTree({ settings, file, content }: { settings: ControlSettings; file: string; content: string }): ControlTree {
  const { snapshot, files, solvedEdits, nearFiles, testFilesFor } = settings;
  const changes = files.map(({ path, agent: before, solved }) => ({ path, before, after: path === file ? content : solved }));
  const differing = files.map(({ path, snapshot: before, solved }) => ({ path, before, after: path === file ? content : solved }));
  const reaching = impactedTestFiles({ snapshot, changes: differing, testFilesFor });
  const testFiles = snapshot.testFiles.filter((one) => reaching === undefined || reaching.includes(one) || nearFiles.includes(one));
  const edits = [...solvedEdits.filter((edit) => edit.file !== file), { file, content }];
  return { file, content, edits, testFiles, patch: gitPatch({ files: changes }) };
}

/** `passed`, or how the tree was found out: by a test, by tests that gave no result, by a crash or by the time limit. */
async function outcomeOf(settings: ControlSettings & { edits: readonly TreeEdit[]; testFiles: readonly string[] }): Promise<string> {
  const { snapshot, executor, timeoutMs, signal, edits, testFiles, graded } = settings;
  const run = await compareSuite({ snapshot, executor, timeoutMs, edits, testFiles, ...(signal === undefined ? {} : { signal }) });
  if ('status' in run) return run.status;
  const files = new Set(testFiles);
  const expected = new Set(snapshot.baseline.filter(({ file }) => files.has(file)).map(({ id }) => id));
  const failed = graded.find((id) => expected.has(id) && !run.passed.has(id));
  return failed === undefined ? 'passed' : `failed ${failed}`;
}
