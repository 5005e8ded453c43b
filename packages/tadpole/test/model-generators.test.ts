import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '@tadpole/contracts';
import { seededRandom } from '@tadpole/taskpilot';
import { expect, it, onTestFinished } from 'vitest';
import { modelGenerators } from '../src/synth/model-generators.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-author-'));

/** An author that writes another bug each time. */
async function inventiveAuthor() {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume();
    const bug = { file: 'index.js', oldText: 'x > limit', newText: `x > limit + ${asked}`, why: 'The limit is another.' };
    const choices = [{ index: 0, message: { role: 'assistant', content: JSON.stringify(bug) }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices, usage: { prompt_tokens: 1000, completion_tokens: 100 } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: () => asked };
}

function snapshot(): Snapshot {
  const directory = join(folder, 'repository');
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(directory, 'index.js'),
    'function isAbove(x) {\n  const limit = 3;\n  return x > limit;\n}\nexports.isAbove = isAbove;\n',
  );
  return {
    ...{ source: 'a@1', licence: 'MIT', directory, hash: 'h', runner: 'node-test', dependencies: [], baseline: [] },
    ...{ sourceFiles: ['index.js'], testFiles: [], hiddenPaths: [] },
  };
}

it('asks an author nothing twice, and counts what it cost once in each call', async () => {
  const { baseURL, asked } = await inventiveAuthor();
  const price = { promptPerMillion: 1, completionPerMillion: 10 };
  const propose = async (count: number) => {
    const { generators, spentUsd } = modelGenerators({ author: { baseURL, model: 'author', price }, folder: join(folder, 'answers') });
    expect(spentUsd()).toBe(0);
    const texts: unknown[] = [];
    const bugs = generators.find(({ name }) => name === 'model-bug');
    for await (const { edits } of bugs?.propose({ snapshot: snapshot(), random: seededRandom(1) }) ?? []) {
      texts.push(edits);
      if (texts.length === count) break;
    }
    return { texts, usd: spentUsd() };
  };
  const first = await propose(2);
  expect(asked()).toBe(2);
  expect(first.usd).toBeCloseTo(2 * 0.002, 9);
  const second = await propose(3);
  expect(second.texts.slice(0, 2)).toEqual(first.texts);
  expect(asked()).toBe(3);
  expect(second.usd).toBeCloseTo(3 * 0.002, 9);
});

it('says no cost of an author without a price', () => {
  const { spentUsd } = modelGenerators({ author: { baseURL: 'http://127.0.0.1:9/v1', model: 'author' }, folder: join(folder, 'none') });
  expect(spentUsd()).toBeUndefined();
});
