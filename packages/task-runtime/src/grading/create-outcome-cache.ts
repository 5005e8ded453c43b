import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isTadpoleError, type Outcome, scoredSchema } from '@tadpole/contracts';

/** Outcomes of gradings that were made before: the same task and the same patch are executed once. */
export interface OutcomeCache {
  /**
   * The known outcome of a key, or what `grade` gives. Concurrent requests for one key share one execution. Only a
   * `Scored` outcome is kept: a failure of the infrastructure says nothing and is tried again.
   *
   * @param options.key - identity of everything that changes the outcome
   */
  outcome(options: { key: string; grade: () => Promise<Outcome>; signal?: AbortSignal }): Promise<Outcome>;
}

/** Keeps outcomes in memory, and in a folder where one is given; what cannot be written there is kept in memory alone. */
export function createOutcomeCache(options: { directory?: string } = {}): OutcomeCache {
  const { directory } = options;
  const known = new Map<string, Outcome>();
  const running = new Map<string, Promise<Outcome>>();
  let drafts = 0;

  async function load(key: string): Promise<Outcome | undefined> {
    if (directory === undefined) return undefined;
    try {
      const parsed = scoredSchema.safeParse(JSON.parse(await readFile(fileOf(directory, key), 'utf8')));
      return parsed.data;
    } catch {
      // Absent, or torn by a crash before writes were atomic: it is graded again.
      return undefined;
    }
  }

  async function save(key: string, outcome: Outcome): Promise<void> {
    known.set(key, outcome);
    if (directory === undefined) return;
    drafts += 1;
    const file = fileOf(directory, key);
    const draft = `${file}.${process.pid}-${drafts}`;
    try {
      await mkdir(join(directory, key.slice(0, 2)), { recursive: true });
      await writeFile(draft, JSON.stringify(outcome));
      await rename(draft, file);
    } catch {
      // Without room for it the outcome holds all the same, and a later process grades again.
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  return {
    async outcome({ key, grade, signal }) {
      for (;;) {
        const found = known.get(key);
        if (found !== undefined) return found;
        const other = running.get(key);
        if (other === undefined) break;
        try {
          return await other;
        } catch (error) {
          // The other caller gave up, not this one.
          if (!(isTadpoleError(error) && error.code === 'aborted') || signal?.aborted) throw error;
        }
      }
      const own = (async () => {
        const outcome = (await load(key)) ?? (await grade());
        if (outcome.status === 'scored') await save(key, outcome);
        return outcome;
      })();
      running.set(key, own);
      try {
        return await own;
      } finally {
        running.delete(key);
      }
    },
  };
}

function fileOf(directory: string, key: string): string {
  return join(directory, key.slice(0, 2), `${key}.json`);
}
