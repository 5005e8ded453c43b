import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TadpoleError } from '@tadpole/contracts';
import type { SourceRepository } from '../synth/source-repository.js';
import type { SynthesisSettings } from '../synth/synthesis-store.js';
import { rolloutSettings } from './open-actor.js';
import { rungOf, type SynthFlags } from './synth-flags.js';

/**
 * All that changes what a synthesis comes to, as it stands in `synthesis.json`: no key, and neither budget nor concurrency,
 * which may be others when it is resumed. Files that it reads count by their content.
 *
 * @throws TadpoleError `invalid-config` for a file that cannot be read.
 */
export function synthSettings(options: { repositories: readonly SourceRepository[]; flags: SynthFlags }): SynthesisSettings {
  const { repositories, flags } = options;
  const { count, seed, band, checkpoint, baseUrl, model, pricePrompt, priceCompletion, embedded, repairer, weights } = flags;
  const { authorBaseUrl, authorModel, authorPricePrompt, authorPriceCompletion, decontaminate, state } = flags;
  const { limits, sampling } = rolloutSettings(flags);
  const policy =
    embedded === true ? { embedded, weights } : repairer === true ? { repairer } : { baseUrl, model, pricePrompt, priceCompletion };
  const author = authorModel === undefined ? undefined : { authorBaseUrl, authorModel, authorPricePrompt, authorPriceCompletion };
  const files = {
    ...(decontaminate === undefined ? {} : { decontaminate: hashOf(decontaminate, '--decontaminate') }),
    ...(state === undefined ? {} : { state: hashOf(state, '--state') }),
  };
  return { repositories, count, seed, rung: rungOf(flags), band, checkpoint, policy, author, limits, sampling, ...files };
}

/** A file that a flag names. @throws TadpoleError `invalid-config`. */
export function readFlagFile(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `${flag} ${file}: expected a readable file, got: ${(cause as Error).message}`;
    throw new TadpoleError({ code: 'invalid-config', message, cause });
  }
}

function hashOf(file: string, flag: string): string {
  return createHash('sha256').update(readFlagFile(file, flag)).digest('hex');
}
