import { TadpoleError } from '@tadpole/contracts';
import type { EvaluationRecord } from './evaluation-record.js';
import { createNgramIndex, type NgramOverlap, sharedText, type TokenRuns } from './ngram-index.js';
import { type NormalisedFile, normalisePatch, patchKey } from './normalise-patch.js';
import { type PatchFunction, patchFunctions } from './patch-functions.js';
import { matchRepositories, type RepositoryMatch } from './repository-matches.js';

/** A training task as far as contamination is looked for; the form of an evaluation record. */
export type TrainingRecord = EvaluationRecord;

/** What of two records was compared. */
export type RecordPart = 'patch' | 'testPatch' | 'statement';

/** One reason why a task may be contaminated, with what it was seen from. */
export type ContaminationMatch =
  | RepositoryMatch
  /** A function of the same name in a file of the same base name. */
  | {
      readonly kind: 'function';
      readonly taskId: string;
      readonly recordId: string;
      readonly function: string;
      readonly taskFile: string;
      readonly recordFile: string;
    }
  /** The same normalised patch with the same paths. */
  | { readonly kind: 'patch'; readonly taskId: string; readonly recordId: string; readonly text: string }
  /** Enough n-grams of one are in the other. */
  | {
      readonly kind: 'ngram';
      readonly taskId: string;
      readonly recordId: string;
      readonly part: RecordPart;
      readonly sharedNgrams: number;
      /** Share of the task's n-grams that the record has, and the other way round. */
      readonly taskContainment: number;
      readonly recordContainment: number;
      /** The longest shared stretch of tokens, at most 60. */
      readonly text: string;
    };

/** What {@link decontaminate} found. */
export interface Contamination {
  /** By task, in the order given. */
  readonly matches: readonly ContaminationMatch[];
  /** Ids of the tasks that have a match, in the order given. */
  readonly taskIds: readonly string[];
  /** Matches beyond those that are shown of each task and kind. */
  readonly omitted: number;
}

interface Prepared {
  readonly record: EvaluationRecord;
  readonly patchKey: string | null;
  readonly functions: readonly PatchFunction[];
  readonly runs: Readonly<Record<RecordPart, TokenRuns>>;
}

const parts = ['patch', 'testPatch', 'statement'] as const;
const maxTextTokens = 60;

/** How alike a task and a record must be. */
export interface ContaminationSettings {
  /** Tokens of an n-gram, at least 2. @default 13 */
  readonly ngramLength?: number;
  /** Least share of either side's n-grams that makes a match, (0, 1]. @default 0.5 */
  readonly minContainment?: number;
  /** Matches shown of each task and kind, those of the greatest containment first. @default 20 */
  readonly maxMatches?: number;
}

/**
 * Compares training tasks with evaluation sets and shows every match: by repository (also forks and packages by
 * name), by function, by equal normalised patch, and by n-grams of normalised patches, test patches and statements.
 * It decides nothing: a fork by name or a common function name may be chance, which the match lets a reader judge.
 * Not covered: renamed identifiers, and the same code in another language.
 *
 * @throws TadpoleError `invalid-input` for a patch that is neither blank nor a diff, and for options out of range.
 */
export function decontaminate(
  options: ContaminationSettings & { tasks: readonly TrainingRecord[]; records: readonly EvaluationRecord[] },
): Contamination {
  return createDecontaminator(options)(options.tasks);
}

/** {@link decontaminate} for tasks that come one after another: the records are indexed once. Throws as it does. */
export function createDecontaminator(
  options: ContaminationSettings & { records: readonly EvaluationRecord[] },
): (tasks: readonly TrainingRecord[]) => Contamination {
  const { ngramLength = 13, minContainment = 0.5, maxMatches = 20 } = options;
  if (!(Number.isInteger(ngramLength) && ngramLength >= 2 && minContainment > 0 && minContainment <= 1)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a whole ngramLength of at least 2 and a minContainment in (0, 1], got ${ngramLength} and ${minContainment}.`,
    });
  }
  const records = options.records.map(prepare);
  const byPatch = groupBy(records, ({ patchKey }) => (patchKey === null ? [] : [patchKey]));
  const byFunction = groupBy(
    records.flatMap((prepared) => prepared.functions.map((changed) => ({ recordId: prepared.record.id, changed }))),
    ({ changed }) => [functionKey(changed)],
  );
  const repositoriesOf = matchRepositories(options.records);
  const indexes = parts.map((part) => {
    const index = createNgramIndex({ length: ngramLength });
    for (const { runs } of records) index.add(runs[part]);
    return { part, index };
  });

  return (tasks) => {
    const omissions = { count: 0 };
    const matches = tasks.flatMap((task) => matchesOf(task, omissions));
    return { matches, taskIds: [...new Set(matches.map(({ taskId }) => taskId))], omitted: omissions.count };
  };

  function matchesOf(task: TrainingRecord, omissions: { count: number }): ContaminationMatch[] {
    const prepared = prepare(task);
    const shown = <Item>(items: readonly Item[]): readonly Item[] => {
      omissions.count += Math.max(0, items.length - maxMatches);
      return items.slice(0, maxMatches);
    };
    const taskId = task.id;
    const equal = prepared.patchKey === null ? [] : (byPatch.get(prepared.patchKey) ?? []);
    const functions = prepared.functions.flatMap((changed) =>
      (byFunction.get(functionKey(changed)) ?? []).map((found) => ({ changed, found })),
    );
    return [
      ...repositoriesOf(task),
      ...shown(functions).map(({ changed, found }) => functionMatch({ taskId, changed, found })),
      ...shown(equal).map(({ record }) => ({ kind: 'patch' as const, taskId, recordId: record.id, text: textOf(prepared.runs.patch) })),
      ...indexes.flatMap(({ part, index }) => {
        const overlaps = index.overlaps(prepared.runs[part]).filter(({ containment }) => Math.max(...containment) >= minContainment);
        overlaps.sort((left, right) => Math.max(...right.containment) - Math.max(...left.containment));
        return shown(overlaps).map((overlap) => ngramMatch(prepared, records[overlap.document] as Prepared, part, overlap));
      }),
    ];
  }

  function ngramMatch(task: Prepared, record: Prepared, part: RecordPart, overlap: NgramOverlap): ContaminationMatch {
    const [taskContainment, recordContainment] = overlap.containment;
    const text = sharedText({ runs: task.runs[part], others: record.runs[part], length: ngramLength, maxTokens: maxTextTokens });
    const ids = { taskId: task.record.id, recordId: record.record.id };
    return { kind: 'ngram', ...ids, part, sharedNgrams: overlap.shared, taskContainment, recordContainment, text };
  }
}

function prepare(record: EvaluationRecord): Prepared {
  const patch = normalisePatch(record.patch);
  const statement = (record.statement ?? '').toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  return {
    record,
    patchKey: patchKey(patch),
    functions: record.functions ?? patchFunctions(record.patch),
    runs: { patch: sidesOf(patch), testPatch: sidesOf(normalisePatch(record.testPatch ?? '')), statement: [statement] },
  };
}

/** Sides apart, so that a bug and its fix have the same n-grams. */
function sidesOf(files: readonly NormalisedFile[]): TokenRuns {
  return files.flatMap(({ removed, added }) => [removed, added]);
}

interface RecordFunction {
  readonly recordId: string;
  readonly changed: PatchFunction;
}

function functionMatch(options: { taskId: string; changed: PatchFunction; found: RecordFunction }): ContaminationMatch {
  const { taskId, changed, found } = options;
  const files = { taskFile: changed.file, recordFile: found.changed.file };
  return { kind: 'function', taskId, recordId: found.recordId, function: changed.function, ...files };
}

function functionKey(changed: PatchFunction): string {
  return JSON.stringify([changed.file.slice(changed.file.lastIndexOf('/') + 1).toLowerCase(), changed.function]);
}

function textOf(runs: TokenRuns): string {
  const tokens = runs.flat();
  return tokens.length <= maxTextTokens ? tokens.join(' ') : `${tokens.slice(0, maxTextTokens).join(' ')} …`;
}

function groupBy<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}
