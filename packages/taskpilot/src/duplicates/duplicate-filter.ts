import { TadpoleError } from '@tadpole/contracts';
import { type DuplicateState, parseDuplicateState, type RememberedTask } from './duplicate-state.js';
import { repositoryName } from './repository-name.js';
import { simhashDistance } from './statement-simhash.js';
import { type DuplicateFacts, taskKeys } from './task-keys.js';
import { tokenJaccard } from './token-jaccard.js';

/** A task as the duplicate filter sees it. */
export interface DuplicateTask extends DuplicateFacts {
  readonly id: string;
  /** Repository or package, as `repositoryName` reads it; the version does not count. */
  readonly repository: string;
  /** The generator's operator, or `null` for a task that no operator made. */
  readonly operator: string | null;
}

/** The remembered task that another one repeats. */
export type EarlierTask = Pick<RememberedTask, 'id' | 'role' | 'run'>;

/** What the filter says of a task, discriminated by `kind` and, for a duplicate, by `key`. */
export type DuplicateVerdict =
  | { readonly kind: 'new' }
  /** The same fix in the same file. */
  | { readonly kind: 'duplicate'; readonly key: 'patch'; readonly of: EarlierTask }
  /** The same failing tests for the same function, and a fix of similar tokens. */
  | { readonly kind: 'duplicate'; readonly key: 'site'; readonly of: EarlierTask; readonly jaccard: number }
  /** Nearly the same statement for the same file of the same repository. */
  | { readonly kind: 'duplicate'; readonly key: 'statement'; readonly of: EarlierTask; readonly distanceBits: number }
  /** The run has its share of the function; `accepted` are the ids that fill it. */
  | {
      readonly kind: 'over-quota';
      readonly quota: 'function' | 'function-and-operator';
      readonly limit: number;
      readonly accepted: readonly string[];
    };

/** Remembers tasks across iterations and runs and says which new one repeats them. */
export interface DuplicateFilter {
  /** Says what a task repeats, the first key and the earliest task that match; remembers nothing. */
  check(task: DuplicateTask): DuplicateVerdict;
  /**
   * Remembers an accepted task, whatever {@link DuplicateFilter.check} says of it. Again with the same id and
   * content it does nothing, so a resumed run may repeat it.
   * @throws TadpoleError `invalid-input` when the id is known with another content.
   */
  accept(task: DuplicateTask): void;
  /** As `accept`, for a held-out task, which no new task may repeat. */
  holdOut(task: DuplicateTask): void;
  /** Everything remembered, as plain JSON data. */
  state(): DuplicateState;
}

/**
 * Makes a filter that refuses repeated tasks (taskpilot.md section 6): equal normalised gold patch; equal failing
 * tests, file and function with a token Jaccard of at least 0.6; statements at most 3 bits apart for the same file;
 * and, within a run, more than 3 tasks of a function or more than 1 of a function and operator.
 *
 * Quotas do not hold for tasks whose function is `null`. Renamed identifiers or a moved file make a new patch key.
 *
 * @throws TadpoleError `invalid-input` for a state of another form.
 */
export function createDuplicateFilter(options: {
  /** Name of the run that asks; quotas count what this run accepted. */
  run: string;
  /** From {@link DuplicateFilter.state} of an earlier iteration or run. @default nothing remembered */
  state?: DuplicateState;
  /** @default 3 */
  maxPerFunction?: number;
  /** @default 1 */
  maxPerFunctionAndOperator?: number;
  /** Least token Jaccard at which equal tests, file and function make a duplicate. @default 0.6 */
  minJaccard?: number;
  /** Most bits between the statements of duplicates, -1 to leave the rule out. @default 3 */
  maxStatementBits?: number;
}): DuplicateFilter {
  const { run, maxPerFunction = 3, maxPerFunctionAndOperator = 1, minJaccard = 0.6, maxStatementBits = 3 } = options;
  const known = new Map<string, RememberedTask>();
  const indexes = {
    patch: new Map<string, RememberedTask[]>(),
    site: new Map<string, RememberedTask[]>(),
    file: new Map<string, RememberedTask[]>(),
  };

  function remember(task: RememberedTask): void {
    const earlier = known.get(task.id);
    if (earlier !== undefined) {
      if (JSON.stringify({ ...earlier, run: '' }) === JSON.stringify({ ...task, run: '' })) return;
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Expected a new task, got ${task.id}, which is remembered as ${earlier.role} with another content. Give each task its own id.`,
      });
    }
    known.set(task.id, task);
    if (task.keys.patch !== null) append(indexes.patch, task.keys.patch, task);
    append(indexes.site, task.keys.site, task);
    append(indexes.file, fileKey(task), task);
  }

  function duplicateOf({ keys, ...task }: RememberedTask): DuplicateVerdict | null {
    const samePatch = keys.patch === null ? undefined : indexes.patch.get(keys.patch)?.[0];
    if (samePatch !== undefined) return { kind: 'duplicate', key: 'patch', of: earlierTask(samePatch) };
    for (const other of indexes.site.get(keys.site) ?? []) {
      const jaccard = tokenJaccard(keys.tokens, other.keys.tokens);
      if (jaccard >= minJaccard) return { kind: 'duplicate', key: 'site', of: earlierTask(other), jaccard };
    }
    for (const other of indexes.file.get(fileKey(task)) ?? []) {
      if (keys.statement === null || other.keys.statement === null) continue;
      const distanceBits = simhashDistance(keys.statement, other.keys.statement);
      if (distanceBits <= maxStatementBits) return { kind: 'duplicate', key: 'statement', of: earlierTask(other), distanceBits };
    }
    return null;
  }

  function overQuota(task: RememberedTask): DuplicateVerdict | null {
    if (task.enclosingFunction === null) return null;
    const inFunction = (indexes.file.get(fileKey(task)) ?? []).filter(
      (other) => other.role === 'accepted' && other.run === run && other.enclosingFunction === task.enclosingFunction,
    );
    const sameOperator = inFunction.filter(({ operator }) => operator !== null && operator === task.operator);
    const exceeded = (quota: 'function' | 'function-and-operator', limit: number, tasks: RememberedTask[]): DuplicateVerdict | null =>
      tasks.length < limit ? null : { kind: 'over-quota', quota, limit, accepted: tasks.map(({ id }) => id) };
    return (
      exceeded('function', maxPerFunction, inFunction) ??
      (task.operator === null ? null : exceeded('function-and-operator', maxPerFunctionAndOperator, sameOperator))
    );
  }

  if (options.state !== undefined) for (const task of parseDuplicateState(options.state).tasks) remember(task);
  return {
    check(task) {
      const remembered = rememberedTask(task, 'accepted', run);
      return duplicateOf(remembered) ?? overQuota(remembered) ?? { kind: 'new' };
    },
    accept: (task) => remember(rememberedTask(task, 'accepted', run)),
    holdOut: (task) => remember(rememberedTask(task, 'held-out', run)),
    state: () => ({ version: 1, tasks: [...known.values()] }),
  };
}

function rememberedTask(task: DuplicateTask, role: RememberedTask['role'], run: string): RememberedTask {
  const { id, file, enclosingFunction, operator } = task;
  const { owner, name } = repositoryName(task.repository);
  const repository = owner === null ? name : `${owner}/${name}`;
  return { id, role, run, repository, file, enclosingFunction, operator, keys: taskKeys(task) };
}

function fileKey({ repository, file }: Pick<RememberedTask, 'repository' | 'file'>): string {
  return JSON.stringify([repository, file]);
}

function earlierTask({ id, role, run }: RememberedTask): EarlierTask {
  return { id, role, run };
}

function append(index: Map<string, RememberedTask[]>, key: string, task: RememberedTask): void {
  const tasks = index.get(key);
  if (tasks === undefined) index.set(key, [task]);
  else tasks.push(task);
}
