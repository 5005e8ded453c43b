import { TadpoleError } from '@tadpole/contracts';
import { measures, type SynthFlags } from './synth-flags.js';

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
  if (flags.out === '') throw wrong('--out: expected a folder, got an empty text');
  if (measures(flags)) {
    checkPolicy(flags);
    checkAuthor(flags);
    checkCheckpoint(flags);
    return;
  }
  const given = Object.entries(measuring).find(([name]) => flags[name as keyof SynthFlags] !== undefined);
  if (given === undefined) return;
  throw wrong(`${given[1]}: expected a policy to measure with it, got none. Give --base-url and --model, --embedded or --repairer.`);
}

function checkPolicy({ baseUrl, model, embedded, repairer, weights, maxUsd, pricePrompt, priceCompletion }: SynthFlags): void {
  requireBoth({ '--price-prompt': pricePrompt, '--price-completion': priceCompletion });
  requireUrl({ flag: '--base-url', url: baseUrl });
  const local = embedded === true ? '--embedded' : repairer === true ? '--repairer' : undefined;
  if (embedded === true && repairer === true) throw wrong('Expected one policy, got --embedded and --repairer. Leave one of them away.');
  if (local !== undefined) {
    if (baseUrl !== undefined || model !== undefined)
      throw wrong(`Expected one policy, got ${local} and an endpoint. Leave ${local} away, or --base-url and --model.`);
    if (pricePrompt !== undefined) throw wrong(`--price-prompt: the policy of ${local} has no price. Leave it away.`);
    if (weights !== undefined && embedded !== true) throw wrong(`--weights: expected --embedded with it, got ${local}.`);
  } else {
    requireBoth({ '--base-url': baseUrl, '--model': model });
    if (weights !== undefined) throw wrong('--weights: expected --embedded with it, got an endpoint.');
  }
  if (maxUsd !== undefined && pricePrompt === undefined)
    throw wrong('--max-usd: expected the price of every rollout, got none. Give --price-prompt and --price-completion, or another bound.');
}

function checkAuthor({ authorBaseUrl, authorModel, authorPricePrompt, authorPriceCompletion, maxUsd }: SynthFlags): void {
  requireUrl({ flag: '--author-base-url', url: authorBaseUrl });
  requireBoth({ '--author-base-url': authorBaseUrl, '--author-model': authorModel });
  requireBoth({ '--author-price-prompt': authorPricePrompt, '--author-price-completion': authorPriceCompletion });
  if (authorPricePrompt !== undefined && authorModel === undefined)
    throw wrong('--author-price-prompt: expected an author, got none. Give --author-base-url and --author-model.');
  if (maxUsd !== undefined && authorModel !== undefined && authorPricePrompt === undefined)
    throw wrong("--max-usd: expected the author's price, got none. Give --author-price-prompt and --author-price-completion.");
}

/** What stands in an address is written down: it may hold no credentials. */
function requireUrl({ flag, url }: { flag: string; url: string | undefined }): void {
  if (url === undefined) return;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw wrong(`${flag}: expected an address with http or https, up to and including the version, for instance http://localhost:8000/v1.`);
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '')
    throw wrong(`${flag}: expected an address without credentials or query, which would be written down; give a key by the environment.`);
}

function checkCheckpoint({ state, checkpoint }: SynthFlags): void {
  if ((checkpoint ?? 0) > 0 && state === undefined)
    throw wrong('--checkpoint: expected --state with the state of the checkpoint before, got none.');
  if (state !== undefined && checkpoint === undefined)
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
