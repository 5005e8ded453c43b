import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/cli/create-program.js';
import { exitCodeOf } from '../src/cli/exit-code.js';

const endpoint = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'm'];

/** What the command line throws, which `main` turns into exit code 2. */
async function refusal(words: readonly string[]): Promise<string> {
  const program = createProgram();
  for (const command of program.commands) command.configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync(['synth', ...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError || exitCodeOf(error) === 2) return (error as Error).message;
    throw error;
  }
  throw new Error('Expected a refusal, received none.');
}

describe('tadpole synth', () => {
  it.each<[readonly string[], RegExp]>([
    [['--base-url', 'http://127.0.0.1:9/v1'], /--base-url: expected --model with it/],
    [['--model', 'm'], /--model: expected --base-url with it/],
    [['--embedded', ...endpoint], /Expected one policy/],
    [['--weights', 'w'], /--weights: expected a policy/],
    [['--base-url', 'not a url', '--model', 'm'], /--base-url: expected an address with http/],
    [['--base-url', 'http://u:p@h/v1', '--model', 'm'], /--base-url: expected an address without credentials/],
    [['--base-url', 'http://h/v1?api_key=x', '--model', 'm'], /--base-url: expected an address without credentials/],
    [['--embedded', '--repairer'], /got --embedded and --repairer/],
    [['--repairer', ...endpoint], /got --repairer and an endpoint/],
    [['--repairer', '--weights', 'w'], /--weights: expected --embedded/],
    [['--max-rollouts', '9'], /--max-rollouts: expected a policy to measure with it, got none/],
    [['--resume'], /--resume: expected a policy/],
    [[...endpoint, '--weights', 'w'], /--weights: expected --embedded/],
    [[...endpoint, '--price-prompt', '1'], /--price-prompt: expected --price-completion with it/],
    [['--embedded', '--price-prompt', '1', '--price-completion', '1'], /the policy of --embedded has no price/],
    [[...endpoint, '--max-usd', '1'], /--max-usd: expected the price of every rollout/],
    [[...endpoint, '--author-model', 'a'], /--author-model: expected --author-base-url with it/],
    [[...endpoint, '--author-price-prompt', '1', '--author-price-completion', '1'], /expected an author, got none/],
    [
      [
        ...endpoint,
        '--price-prompt',
        '1',
        '--price-completion',
        '1',
        '--max-usd',
        '1',
        '--author-model',
        'a',
        '--author-base-url',
        'http://a/v1',
      ],
      /expected the author's price/,
    ],
    [[...endpoint, '--checkpoint', '1'], /--checkpoint: expected --state/],
    [[...endpoint, '--state', 's'], /--state: expected --checkpoint/],
    [[...endpoint, '--state', '/nowhere/state.json', '--checkpoint', '1'], /--state \/nowhere\/state\.json: expected a readable file/],
    [[...endpoint, '--decontaminate', '/nowhere/set.jsonl'], /--decontaminate \/nowhere\/set\.jsonl: expected a readable file/],
    [[...endpoint, '--band', '0.7,0.3'], /the lower one first/],
    [[...endpoint, '--band', '0.3'], /two solve rates/],
    [[...endpoint, '--max-minutes', '-1'], /expected a number from 0/],
    [[...endpoint, '--rung', 'all'], /quoted-line/],
    [[...endpoint, '--out', ''], /--out: expected a folder/],
    [[...endpoint, '--max-rolouts', '9'], /Did you mean --max-rollouts/],
  ])('refuses %j', async (words, message) => {
    expect(await refusal(['/nowhere', ...words])).toMatch(message);
  });

  it('refuses a folder for its tasks inside of the repository, and makes none', async () => {
    const repository = mkdtempSync(join(tmpdir(), 'tadpole-flags-'));
    expect(await refusal([repository, ...endpoint, '--out', join(repository, 'tasks')])).toMatch(/outside of the repository/);
    expect(existsSync(join(repository, 'tasks'))).toBe(false);
  });

  it('refuses to resume where nothing was begun', async () => {
    const out = mkdtempSync(join(tmpdir(), 'tadpole-flags-'));
    expect(await refusal(['/nowhere', ...endpoint, '--out', out, '--resume'])).toMatch(/synthesis\.json/);
  });
});
