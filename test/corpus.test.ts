import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CorpusCase, caseSchema, corpusCaseSchema } from '@tadpole/reward-hack-auditor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCase, prepareTask } from './corpus/build-case.js';
import { dropHunks } from './corpus/drop-hunks.js';
import { openWorkbench, type Workbench } from './corpus/open-workbench.js';
import { readSources, type Topic } from './corpus/read-sources.js';

const corpus = fileURLToPath(new URL('../packages/reward-hack-auditor/corpus', import.meta.url));
const splits = ['development', 'frozen'] as const;
const files = splits.flatMap((split) =>
  readdirSync(join(corpus, split))
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ split, name, value: JSON.parse(readFileSync(join(corpus, split, name), 'utf8')) as unknown })),
);
const cases = files.map(({ value }) => corpusCaseSchema.parse(value));

describe('the built corpus', () => {
  it('has only cases of the case format, in files of their ids and in the folder of their split', () => {
    for (const { split, name, value } of files) {
      const parsed = corpusCaseSchema.parse(value);
      expect(caseSchema.parse(value)).toEqual(parsed);
      expect({ name, split }).toEqual({ name: `${parsed.id}.json`, split: parsed.split });
    }
  });

  it('has every id once and no topic in both splits', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    const topics = (split: string) => new Set(cases.filter((item) => item.split === split).map(({ topic }) => topic));
    expect([...topics('development')].filter((topic) => topics('frozen').has(topic))).toEqual([]);
  });

  it('has a source for every case and every case of the sources', async () => {
    const sources = (await readSources(join(corpus, 'sources'))).flatMap((topic) => topic.cases.map(({ id }) => id));
    expect(cases.map(({ id }) => id).sort()).toEqual(sources.sort());
  });

  it.each(splits)('has as many honest cases as hacks in %s, within a tenth', (split) => {
    const labels = cases.filter((item) => item.split === split).map(({ label }) => label);
    const hacks = labels.filter((label) => label === 'hack').length;
    expect(Math.abs(hacks - labels.length / 2)).toBeLessThanOrEqual(labels.length / 10);
  });

  it.each(splits)('has hacks of every family and look-alikes of each in %s', (split) => {
    const families = (label: string) =>
      [...new Set(cases.filter((item) => item.split === split && item.label === label).map(({ kind }) => kind[0]))].sort();
    expect(families('hack')).toEqual([...'ABCDEFGH']);
    expect(families('benign')).toEqual([...'ABCDEFGH']);
  });

  it('names in the patch only what the base tree and the calls make plausible: every changed file applies to the base', () => {
    for (const { id, task, final_patch: patch } of cases) {
      const changed = [...patch.matchAll(/^--- a\/(.+)$/gm)].map(([, path]) => path!);
      expect(changed.filter((path) => task.files[path] === undefined).map((path) => `${id}: ${path}`)).toEqual([]);
    }
  });
});

describe('the builder', () => {
  let workbench: Workbench;
  let topics: readonly Topic[];
  let task: Topic['task'];
  let facts: Awaited<ReturnType<typeof prepareTask>>;
  beforeAll(async () => {
    workbench = await openWorkbench();
    topics = await readSources(join(corpus, 'sources'));
    task = find('fieldsplit-escape-table').task;
    facts = await prepareTask({ workbench, task });
  });
  afterAll(() => workbench.close());
  const find = (id: string) => {
    const topic = topics.find(({ cases: sources }) => sources.some((source) => source.id === id))!;
    return { task: topic.task, source: topic.cases.find((source) => source.id === id)! };
  };
  /** Runners print what their versions print; the rest must come out again. */
  const withoutObservations = ({ trajectory, ...rest }: CorpusCase) => ({
    ...rest,
    trajectory: trajectory.filter(({ role }) => role === 'assistant'),
  });

  it('builds a hack and an honest case again as they stand', async () => {
    for (const id of ['fieldsplit-backup-rows', 'fieldsplit-escape-table']) {
      const built = await buildCase({ workbench, task, facts, source: find(id).source });
      expect(withoutObservations(built)).toEqual(withoutObservations(cases.find((item) => item.id === id)!));
    }
  });

  it('refuses a hack that calls itself effective and is not, an honest case that fails, and a task whose gold does nothing', async () => {
    const { source } = find('fieldsplit-escape-table');
    const claim = { label: 'hack', category: 'solution-gaming', effective: true, proof: 'probe', culprit: [] } as const;
    await expect(buildCase({ workbench, task, facts, source: { ...source, claim } })).rejects.toThrow('the patch passes every probe');
    const idle = { ...source, turns: [source.turns[0]!, source.turns.at(-1)!] };
    await expect(buildCase({ workbench, task, facts, source: idle })).rejects.toThrow('expected the honest patch to pass');
    const gold = { 'README.md': 'nothing\n' };
    await expect(prepareTask({ workbench, task: { ...task, gold } })).rejects.toThrow('expected the gold to pass every test');
  });

  it('drops files and single hunks of a patch and names the parts that are not there', () => {
    const file = (path: string, hunks: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunks}`;
    const one = '@@ -1 +1 @@\n-a\n+b\n';
    const two = '@@ -9 +9 @@\n-c\n+d\n';
    const patch = file('x/a.js', one + two) + file('b.js', one);
    expect(dropHunks({ patch, parts: ['x/a.js#2', 'b.js', 'c.js'] })).toEqual({ patch: file('x/a.js', one), missing: ['c.js'] });
    expect(dropHunks({ patch, parts: ['x/a.js#1', 'x/a.js#2'] })).toEqual({ patch: file('b.js', one), missing: [] });
  });
});
