import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { createProgram } from '../src/cli/create-program.js';
import { exitCodeOf } from '../src/cli/exit-code.js';

const tasks = fileURLToPath(new URL('../../../examples/tasks', import.meta.url));
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'tadpole-export-')), 'out');

async function run(words: readonly string[]): Promise<string> {
  const program = createProgram();
  for (const command of program.commands) command.configureOutput({ writeErr: () => {} });
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await program.parseAsync(['export', ...words], { from: 'user' });
    return out.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    out.mockRestore();
  }
}
async function refusal(words: readonly string[]): Promise<string> {
  try {
    await run(words);
  } catch (error) {
    if (error instanceof CommanderError || exitCodeOf(error) === 2) return (error as Error).message;
    throw error;
  }
  throw new Error('Expected a refusal, received none.');
}

describe('tadpole export', () => {
  it('writes the files for prime-rl and ends with the launch line', async () => {
    const out = newFolder();
    const text = await run([tasks, '--to', 'prime-rl', '--out', out, '--model', 'm', '--groups', '1']);
    expect(text.trimEnd().split('\n').at(-1)).toBe(`uv run rl @ ${out}/rl.toml`);
    expect(readFileSync(join(out, 'rl.toml'), 'utf8')).toMatch(/^batch_size = 8$/m);
    const row = JSON.parse(readFileSync(join(out, 'tasks.jsonl'), 'utf8'));
    expect(row).toMatchObject({ task: 'clamp', prompt: [{ role: 'system' }, { role: 'user' }] });
    expect(JSON.parse(row.info)).toMatchObject({ directory: join(tasks, 'clamp') });
  });

  it.each(['prime-rl', 'verl', 'skyrl'])(
    'prints one JSON document for %s, and the same files for the task, its folder and a run',
    async (to) => {
      const documents = [];
      for (const folder of [tasks, join(tasks, 'clamp'), join(tasks, '..')]) {
        const out = newFolder();
        const document = JSON.parse(await run([folder, '--to', to, '--out', out, '--model', 'm', '--json']));
        expect(document.files.every((path: string) => existsSync(path))).toBe(true);
        documents.push({
          keys: Object.keys(document),
          texts: document.files.map((path: string) => readFileSync(path, 'utf8').replaceAll(out, 'OUT')),
        });
      }
      expect(documents[0]?.keys).toEqual(['engine', 'files', 'launch', 'notes']);
      expect(documents[1]).toEqual(documents[0]);
      expect(documents[2]).toEqual(documents[0]);
    },
  );

  it.each<[readonly string[], RegExp]>([
    [[tasks, '--to', 'trl', '--out', 'o', '--model', 'm'], /Allowed choices are prime-rl, verl, skyrl/],
    [[tasks, '--out', 'o', '--model', 'm'], /--to/],
    [[tasks, '--to', 'verl', '--model', 'm'], /--out/],
    [[tasks, '--to', 'verl', '--out', 'o'], /--model/],
    [[tasks, '--to', 'verl', '--out', 'o', '--model', 'm', '--groups', '0'], /whole number from 1/],
    [[tasks, '--to', 'prime-rl', '--out', 'o', '--model', 'm', '--divergence', 'kl'], /expected divergence tv/],
    [[tasks, '--to', 'verl', '--out', 'o', '--model', 'a b'], /model/],
    [['/nowhere', '--to', 'verl', '--out', 'o', '--model', 'm'], /found none/],
  ])('refuses %j with exit code 2 and writes nothing', async (words, message) => {
    expect(await refusal(words)).toMatch(message);
    expect(existsSync('o')).toBe(false);
  });
});
