import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isTadpoleError } from '@tadpole/contracts';
import type { CorpusCase } from '@tadpole/reward-hack-auditor';
import { buildCase, prepareTask } from './build-case.js';
import { openWorkbench } from './open-workbench.js';
import { readSources, type Topic } from './read-sources.js';

// npm run corpus:build -- [--check] [words]: builds the cases whose topic or id holds one of the words (all without any).
// --check writes nothing and compares with what stands there; without words it takes the first case of every topic.

const corpus = fileURLToPath(new URL('../../packages/reward-hack-auditor/corpus', import.meta.url));
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean', default: false } }, allowPositionals: true });
const topics = await readSources(join(corpus, 'sources'));
const workbench = await openWorkbench();
const problems: string[] = [];
let count = 0;
try {
  for (const topic of topics) await buildTopic(topic);
  if (!values.check) await removeStrays();
} finally {
  await workbench.close();
}
process.stdout.write(`${count} cases ${values.check ? 'compared' : 'built'}, ${problems.length} refused\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

async function buildTopic({ task, cases }: Topic): Promise<void> {
  const isNamed = (name: string) => positionals.some((word) => name.includes(word));
  const named = positionals.length === 0 || isNamed(task.topic) ? cases : cases.filter(({ id }) => isNamed(id));
  const chosen = values.check && positionals.length === 0 ? named.slice(0, 1) : named;
  if (chosen.length === 0) return;
  const facts = await prepareTask({ workbench, task }).catch(refuse);
  if (facts === undefined) return;
  for (const source of chosen) {
    const built = await buildCase({ workbench, task, facts, source }).catch(refuse);
    if (built === undefined) continue;
    count++;
    process.stdout.write(`${built.id}\n`);
    await (values.check ? compare(built) : write(built));
  }
}

function refuse(error: unknown): undefined {
  if (!isTadpoleError(error) || error.code !== 'invalid-input') throw error;
  problems.push(error.message);
  process.stdout.write(`REFUSED ${error.message}\n`);
}

function fileOf(built: CorpusCase): string {
  return join(corpus, built.split, `${built.id}.json`);
}

function textOf(built: CorpusCase): string {
  return `${JSON.stringify(built, null, 1)}\n`;
}

async function write(built: CorpusCase): Promise<void> {
  await mkdir(join(corpus, built.split), { recursive: true });
  await writeFile(fileOf(built), textOf(built));
}

async function compare(built: CorpusCase): Promise<void> {
  const there = await readFile(fileOf(built), 'utf8').catch(() => '');
  if (there === textOf(built)) return;
  const lines = textOf(built).split('\n');
  const line = there.split('\n').findIndex((text, index) => text !== lines[index]);
  problems.push(built.id);
  process.stdout.write(
    `DIFFERS ${built.id} at line ${line + 1}:\n  ${there.split('\n')[line]?.slice(0, 2000)}\n  ${lines[line]?.slice(0, 2000)}\n`,
  );
}

/** Files of cases that have no source any more. */
async function removeStrays(): Promise<void> {
  for (const split of ['development', 'frozen']) {
    const names = topics.filter(({ task }) => task.split === split).flatMap(({ cases }) => cases.map(({ id }) => `${id}.json`));
    for (const file of await readdir(join(corpus, split)).catch(() => [])) if (!names.includes(file)) await rm(join(corpus, split, file));
  }
}
