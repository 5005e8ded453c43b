import {
  type Gate,
  type GeneratedLineage,
  type SandboxLimits,
  type Snapshot,
  type StatementRung,
  TadpoleError,
  type TaskData,
  type TestsVerifier,
  type TreeEdit,
  taskDataSchema,
} from '@tadpole/contracts';
import { contentHash } from '../content-hash.js';
import { type StatementFacts, type TemplateRung, writeStatement } from '../statement/write-statement.js';
import { statementGateNames, statementGates } from './statement-gates.js';
import { Refusal } from './validation.js';

/** The data of a task that was generated: graded by named tests. */
export type GeneratedTaskData = TaskData & { readonly verifier: TestsVerifier; readonly lineage: GeneratedLineage };

/** A validated task before it is written to a folder: all that a writer needs besides the snapshot. */
export interface TaskDraft {
  readonly candidateId: string;
  readonly data: GeneratedTaskData;
  readonly facts: StatementFacts;
  /** Snapshot to agent's tree. */
  readonly edits: readonly TreeEdit[];
  /** Changed files as the agent gets them, `null` for those it does not get; the rest of its tree is the snapshot without the hidden paths. */
  readonly agentFiles: readonly { readonly path: string; readonly text: string | null }[];
  /** Agent's tree to solved tree. */
  readonly goldPatch: string;
  /** Snapshot to agent's tree; empty where the agent gets the snapshot. */
  readonly bugPatch: string;
  /** Test files of the task's own, laid over the snapshot's hidden files. */
  readonly hiddenTests: readonly { readonly file: string; readonly content: string }[];
  /** Files and folders that the agent's tree does not have. */
  readonly hiddenPaths: readonly string[];
  /** Every file of them, sorted. */
  readonly hiddenFiles: readonly string[];
  readonly hiddenTestsHash: string;
  readonly gates: readonly Gate[];
}

/** Lines that a git patch adds. */
export function addedLines(patch: string): string[] {
  return patch
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => line.slice(1));
}

/** A task's data with its content address: everything in it, the gold patch and the hidden tests. */
export function createTaskData(options: {
  snapshot: Pick<Snapshot, 'source' | 'licence' | 'hash' | 'runner' | 'testFiles' | 'hiddenPaths' | 'dependencies' | 'configFile'>;
  lineage: Pick<GeneratedLineage, 'generator' | 'operator' | 'file' | 'line' | 'statementRung' | 'taskType' | 'parts'>;
  instruction: string;
  failToPass: readonly string[];
  passToPass: readonly string[];
  limits: SandboxLimits;
  timeoutMs: number;
  goldPatch: string;
  hiddenTestsHash: string;
}): GeneratedTaskData {
  const { snapshot, lineage, limits } = options;
  const body = {
    instruction: options.instruction,
    environment: { dependencies: [...snapshot.dependencies], workspacePath: '/workspace' },
    limits,
    verifier: {
      kind: 'tests' as const,
      runner: snapshot.runner,
      testFiles: [...snapshot.testFiles],
      failToPass: [...options.failToPass].sort(),
      passToPass: [...options.passToPass].sort(),
      protectedPaths: [...snapshot.hiddenPaths],
      ...(snapshot.configFile === undefined ? {} : { configFile: snapshot.configFile }),
      timeoutMs: options.timeoutMs,
    },
    lineage: { kind: 'generated' as const, ...lineage, source: snapshot.source, licence: snapshot.licence, snapshotHash: snapshot.hash },
  };
  return withId({ ...body, id: '' }, { goldPatch: options.goldPatch, hiddenTestsHash: options.hiddenTestsHash });
}

/**
 * The same bug with another rung of the statement ladder, one of `availableRungs(draft.facts)`: a new task with its own id,
 * whose `parent` is the draft. Execution evidence carries over, since the trees and the tests are the same.
 *
 * @throws TadpoleError `invalid-input` for a rung whose facts the draft lacks, and when the new statement would give the fix
 * away or its tests would ask for more than it says.
 */
export function rewriteStatement(options: { draft: TaskDraft; rung: TemplateRung }): TaskDraft {
  const { draft, rung } = options;
  try {
    return restateDraft({ draft, rung, instruction: writeStatement({ ...draft.facts, rung }) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new TadpoleError({
      code: 'invalid-input',
      message: `The ${rung} statement of ${draft.data.id} is refused (${error.reason}): ${error.message}.`,
    });
  }
}

/** The draft under another statement, whose gates are gone through again. Throws {@link Refusal}. */
export function restateDraft(options: { draft: TaskDraft; rung: StatementRung; instruction: string }): TaskDraft {
  const { draft, rung, instruction } = options;
  const { facts, hiddenPaths, data } = draft;
  const { operator } = data.lineage;
  const { failToPass, passToPass } = data.verifier;
  const goldLines = addedLines(draft.goldPatch);
  const gates = [
    ...draft.gates.filter(({ name }) => !statementGateNames.includes(name)),
    ...statementGates({ statement: instruction, rung, facts, goldLines, operator, hiddenPaths, failToPass, passToPass }),
  ];
  const lineage = { ...data.lineage, statementRung: rung, parent: data.id };
  return { ...draft, gates, data: withId({ ...data, instruction, lineage }, draft) };
}

function withId(data: GeneratedTaskData, addressed: { goldPatch: string; hiddenTestsHash: string }): GeneratedTaskData {
  const { id: _, ...body } = data;
  const { goldPatch, hiddenTestsHash } = addressed;
  const slug = data.lineage.source
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
  const id = `${slug || 'task'}-${contentHash({ body, goldPatch, hiddenTestsHash }).slice(0, 16)}`;
  taskDataSchema.parse({ ...body, id });
  return { ...body, id };
}
