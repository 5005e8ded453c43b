import { TadpoleError } from '@tadpole/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Flags of `tadpole synth`. */
export interface SynthFlags {
  readonly out: string;
  readonly count: number;
  readonly seed: number;
  readonly nodeModules?: string;
  readonly pythonPackages?: string;
  readonly rung?: 'symptom' | 'file' | 'region' | 'line' | 'quoted-line';
  readonly json?: boolean;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv: string;
  readonly pricePrompt?: number;
  readonly priceCompletion?: number;
  readonly maxRetries?: number;
  readonly embedded?: boolean;
  readonly weights?: string;
  readonly band?: readonly [number, number];
  readonly maxRollouts?: number;
  readonly maxUsd?: number;
  readonly maxMinutes?: number;
  readonly samplesConcurrency?: number;
  readonly maxTurns?: number;
  readonly authorBaseUrl?: string;
  readonly authorModel?: string;
  readonly authorApiKeyEnv: string;
  readonly authorPricePrompt?: number;
  readonly authorPriceCompletion?: number;
  readonly decontaminate?: string;
  readonly state?: string;
  readonly checkpoint?: number;
  readonly resume?: boolean;
}

/** Declares the flags of `tadpole synth`. */
export function addSynthFlags(command: Command): Command {
  return command
    .option('--out <folder>', 'where everything goes', 'tasks')
    .option('--count <number>', 'how many tasks', whole(1), 20)
    .option('--seed <number>', 'seed of everything random', whole(0), 0)
    .option('--node-modules <folder>', 'installed packages that its tests import (default: the nearest node_modules)')
    .option('--python-packages <folder>', 'Python modules that its tests import and the system lacks')
    .addOption(
      new Option('--rung <name>', 'what statements say (default: file, with --embedded quoted-line)').choices([
        ...['symptom', 'file', 'region', 'line', 'quoted-line'],
      ]),
    )
    .option('--base-url <url>', 'measure a model at this OpenAI-compatible endpoint, up to and including the version')
    .option('--model <name>', 'the model at --base-url')
    .option('--api-key-env <name>', 'environment variable with the key of --base-url', 'OPENAI_API_KEY')
    .option('--price-prompt <usd>', 'for a million prompt tokens', atLeastZero)
    .option('--price-completion <usd>', 'for a million completion tokens', atLeastZero)
    .option('--max-retries <number>', 'further tries of a failed request (default: 5)', whole(0))
    .option('--embedded', 'measure the embedded policy: its shipped base, or --weights')
    .option('--weights <folder>', "with --embedded: weights and tokenizer, or a checkpoint of a run, which goes with the base's tokenizer")
    .option('--band <low,high>', 'solve rates of admitted tasks (default: 0.3,0.7)', band)
    .option('--max-rollouts <number>', 'rollouts at most (default: 40 a task)', whole(1))
    .option('--max-usd <usd>', 'dollars at most; needs prices', atLeastZero)
    .option('--max-minutes <number>', 'minutes of this call at most', atLeastZero)
    .option('--samples-concurrency <number>', 'rollouts at one time (default: 8, with --embedded 32)', whole(1))
    .option('--max-turns <number>', 'turns of a rollout at most (default: 75, with --embedded 3)', whole(1))
    .option('--author-base-url <url>', 'let a model at this endpoint write candidates too')
    .option('--author-model <name>', 'the model at --author-base-url')
    .option('--author-api-key-env <name>', 'environment variable with the key of --author-base-url', 'OPENAI_API_KEY')
    .option('--author-price-prompt <usd>', 'for a million prompt tokens', atLeastZero)
    .option('--author-price-completion <usd>', 'for a million completion tokens', atLeastZero)
    .option('--decontaminate <file>', 'evaluation set that no task may repeat: SWE-bench rows as JSON lines')
    .option('--state <file>', 'state.json of the synthesis for the checkpoint before')
    .option('--checkpoint <number>', 'number of the checkpoint that is measured, from 0', whole(0))
    .option('--resume', 'go on in --out, with the flags that it was begun with')
    .option('--json', 'print one JSON document and nothing else on standard output');
}

/** Whether a policy was named, which is then measured. */
export function measures({ baseUrl, model, embedded }: SynthFlags): boolean {
  return baseUrl !== undefined || model !== undefined || embedded === true;
}

/** Flags that say something about measuring, by the name under which they are given. */
const measuring: Readonly<Partial<Record<keyof SynthFlags, string>>> = {
  ...{ pricePrompt: '--price-prompt', priceCompletion: '--price-completion', maxRetries: '--max-retries', weights: '--weights' },
  ...{ band: '--band', maxRollouts: '--max-rollouts', maxUsd: '--max-usd', maxMinutes: '--max-minutes', maxTurns: '--max-turns' },
  ...{ samplesConcurrency: '--samples-concurrency', authorBaseUrl: '--author-base-url', authorModel: '--author-model' },
  ...{ authorPricePrompt: '--author-price-prompt', authorPriceCompletion: '--author-price-completion' },
  ...{ decontaminate: '--decontaminate', state: '--state', checkpoint: '--checkpoint', resume: '--resume' },
};

/** Refuses flags that do not go together. @throws TadpoleError `invalid-config` that says what to give. */
export function checkSynthFlags(flags: SynthFlags): void {
  const { baseUrl, model, embedded, weights, maxUsd, authorBaseUrl, authorModel, state, checkpoint = 0 } = flags;
  if (flags.out === '') throw wrong('--out: expected a folder, got an empty text');
  if (!measures(flags)) {
    const given = Object.entries(measuring).find(([name]) => flags[name as keyof SynthFlags] !== undefined);
    if (given === undefined) return;
    throw wrong(`${given[1]}: expected a policy to measure with it, got none. Give --base-url and --model, or --embedded.`);
  }
  if (embedded === true && (baseUrl !== undefined || model !== undefined))
    throw wrong('Expected one policy, got --embedded and an endpoint. Leave --embedded away, or --base-url and --model.');
  if (embedded !== true) requireBoth({ '--base-url': baseUrl, '--model': model });
  if (embedded !== true && weights !== undefined) throw wrong('--weights: expected --embedded with it, got an endpoint.');
  if (embedded === true && flags.pricePrompt !== undefined) throw wrong('--price-prompt: the embedded policy has no price. Leave it away.');
  requireBoth({ '--price-prompt': flags.pricePrompt, '--price-completion': flags.priceCompletion });
  requireBoth({ '--author-base-url': authorBaseUrl, '--author-model': authorModel });
  requireBoth({ '--author-price-prompt': flags.authorPricePrompt, '--author-price-completion': flags.authorPriceCompletion });
  if (flags.authorPricePrompt !== undefined && authorModel === undefined)
    throw wrong('--author-price-prompt: expected an author, got none. Give --author-base-url and --author-model.');
  if (maxUsd !== undefined && flags.pricePrompt === undefined)
    throw wrong('--max-usd: expected the price of every rollout, got none. Give --price-prompt and --price-completion, or another bound.');
  if (maxUsd !== undefined && authorModel !== undefined && flags.authorPricePrompt === undefined)
    throw wrong("--max-usd: expected the author's price, got none. Give --author-price-prompt and --author-price-completion.");
  if (checkpoint > 0 && state === undefined)
    throw wrong('--checkpoint: expected --state with the state of the checkpoint before, got none.');
  if (state !== undefined && flags.checkpoint === undefined)
    throw wrong('--state: expected --checkpoint with the number of the checkpoint that is measured, got none.');
}

function requireBoth(flags: Readonly<Record<string, unknown>>): void {
  const [[first, left], [second, right]] = Object.entries(flags) as [[string, unknown], [string, unknown]];
  if ((left === undefined) === (right === undefined)) return;
  const [given, missing] = left === undefined ? [second, first] : [first, second];
  throw wrong(`${given}: expected ${missing} with it, got none.`);
}

function wrong(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-config', message });
}

function whole(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least && text.trim() !== '') return value;
    throw new InvalidArgumentError(`expected a whole number from ${least}.`);
  };
}

function atLeastZero(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0 && text.trim() !== '') return value;
  throw new InvalidArgumentError('expected a number from 0.');
}

function band(text: string): readonly [number, number] {
  const [low = Number.NaN, high = Number.NaN, ...more] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (more.length === 0 && low >= 0 && high <= 1 && low < high) return [low, high];
  throw new InvalidArgumentError('expected two solve rates from 0 to 1, the lower one first, for instance 0.3,0.7.');
}
