import type { TemplateRung } from '@tadpole/taskpilot';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Flags of `tadpole synth`. */
export interface SynthFlags {
  readonly out: string;
  readonly count: number;
  readonly seed: number;
  readonly nodeModules?: string;
  readonly pythonPackages?: string;
  readonly licence?: string;
  readonly rung?: TemplateRung;
  readonly json?: boolean;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv: string;
  readonly pricePrompt?: number;
  readonly priceCompletion?: number;
  readonly maxRetries?: number;
  readonly embedded?: boolean;
  readonly repairer?: boolean;
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
    .option('--licence <spdx>', 'licence of the folders that state none')
    .addOption(
      new Option('--rung <name>', 'what statements say (default: example, with --embedded or --repairer quoted-line)').choices([
        ...['symptom', 'contract', 'file', 'function', 'example', 'region', 'line', 'quoted-line'],
      ]),
    )
    .option('--base-url <url>', 'measure a model at this OpenAI-compatible endpoint, up to and including the version')
    .option('--model <name>', 'the model at --base-url')
    .option('--api-key-env <name>', 'environment variable with the key of --base-url', 'OPENAI_API_KEY')
    .option('--price-prompt <usd>', 'for a million prompt tokens', atLeastZero)
    .option('--price-completion <usd>', 'for a million completion tokens', atLeastZero)
    .option('--max-retries <number>', 'further tries of a failed request (default: 5)', whole(0))
    .option('--embedded', 'measure the embedded policy: its shipped base, or --weights')
    .option('--repairer', 'measure no model but one random change of an operator at the stated place: for trying it out')
    .option('--weights <folder>', "with --embedded: weights and tokenizer, or a checkpoint of a run, which goes with the base's tokenizer")
    .option('--band <low,high>', 'solve rates of admitted tasks (default: 0.3,0.7)', band)
    .option('--max-rollouts <number>', 'rollouts at most (default: 40 a task)', whole(1))
    .option('--max-usd <usd>', 'dollars at most; needs prices', atLeastZero)
    .option(
      '--max-minutes <number>',
      'ends after so many minutes, with the rollouts at work; opening the repositories counts and is finished',
      atLeastZero,
    )
    .option('--samples-concurrency <number>', 'rollouts at one time (default: 8, with --embedded 32)', whole(1))
    .option('--max-turns <number>', 'turns of a rollout at most (default: 75, with --embedded or --repairer 3)', whole(1))
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
export function measures({ baseUrl, model, embedded, repairer }: SynthFlags): boolean {
  return baseUrl !== undefined || model !== undefined || embedded === true || repairer === true;
}

/** What statements say: an input, what it gives and what it should give; a small policy needs the line. */
export function rungOf({ rung, embedded, repairer }: SynthFlags): NonNullable<SynthFlags['rung']> {
  return rung ?? (embedded === true || repairer === true ? 'quoted-line' : 'example');
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
