import type { ScriptVerifier } from '@tadpole/contracts';
import { duplicateKey } from './duplicate-key.js';

/** Longest text of a reward file that is looked at. */
const rewardLength = 1_048_576;

/** What a verifier script left: a reward in [0, 1] with the numbers beside it, or why there is none. */
export type RewardReading =
  | { readonly ok: true; readonly reward: number; readonly metrics: Readonly<Record<string, number>>; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly why: string };

type Parsed = { readonly reward: number; readonly metrics: Readonly<Record<string, number>> } | { readonly why: string };

/**
 * Reads the reward files of Harbor's `/logs/verifier` as untrusted input (formats.md section 3.1): `reward.json` holds a
 * number, or an object whose `reward` or only key is one; `reward.txt` holds a number. Refused are NaN, infinities,
 * duplicate keys, links, numbers outside [0, 1] (their scale is not known), and a malformed file beside a good one.
 *
 * Where both are there and disagree, `preferred` counts and a warning says so.
 */
export function readReward(options: {
  /** The text of each file: `null` where there is none, `undefined` where it is no regular file that can be read. */
  files: Readonly<Record<ScriptVerifier['preferredReward'], string | null | undefined>>;
  preferred: ScriptVerifier['preferredReward'];
}): RewardReading {
  const read = (name: ScriptVerifier['preferredReward'], parse: (text: string) => Parsed) => {
    const text = options.files[name];
    if (text === null) return [];
    const isRefused = text === undefined || text.length > rewardLength;
    return [{ name, parsed: isRefused ? { why: `a regular file of at most ${rewardLength} characters` } : inRange(parse(text)) }];
  };
  const files = [...read('reward.json', parseJson), ...read('reward.txt', parseText)];
  const good: { name: string; reward: number; metrics: Readonly<Record<string, number>> }[] = [];
  for (const { name, parsed } of files) {
    if ('why' in parsed) return { ok: false, why: `expected in ${name} ${parsed.why}` };
    good.push({ name, ...parsed });
  }
  const chosen = good.find(({ name }) => name === options.preferred) ?? good[0];
  if (chosen === undefined) return { ok: false, why: 'expected /logs/verifier/reward.json or reward.txt, found neither' };
  const other = good.find(({ reward }) => reward !== chosen.reward);
  const warnings =
    other === undefined ? [] : [`${chosen.name} says ${chosen.reward} and ${other.name} says ${other.reward}; ${chosen.name} counts`];
  return { ok: true, reward: chosen.reward, metrics: chosen.metrics, warnings };
}

function inRange(parsed: Parsed): Parsed {
  if ('why' in parsed || (parsed.reward >= 0 && parsed.reward <= 1)) return parsed;
  return { why: `a reward from 0 to 1, got ${parsed.reward}` };
}

function parseText(text: string): Parsed {
  const trimmed = text.trim();
  const reward = Number(trimmed);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) || !Number.isFinite(reward))
    return { why: `one finite number, got ${JSON.stringify(trimmed.slice(0, 60))}` };
  return { reward, metrics: {} };
}

function parseJson(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { why: `JSON, got: ${(error as Error).message}` };
  }
  const twice = duplicateKey(text);
  if (twice !== undefined) return { why: `every key once, got ${JSON.stringify(twice)} twice` };
  if (typeof value === 'number') return Number.isFinite(value) ? { reward: value, metrics: {} } : { why: 'a finite number' };
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { why: 'a number or an object of numbers' };
  const entries = Object.entries(value);
  const numbers = entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const infinite = numbers.find(([, number]) => !Number.isFinite(number));
  if (infinite !== undefined) return { why: `finite numbers, got one that is not at ${JSON.stringify(infinite[0])}` };
  const reward = Object.hasOwn(value, 'reward')
    ? (value as { reward: unknown }).reward
    : entries.length === 1
      ? entries[0]?.[1]
      : undefined;
  if (typeof reward !== 'number') return { why: 'a number at "reward", or as the only value' };
  return { reward, metrics: Object.fromEntries(numbers.filter(([name]) => name !== 'reward')) };
}
