import type { PromptPrefix } from './key-value-cache.js';
import { type PrefillOptions, prefillPrompts } from './prefill.js';

/** Prefixes kept for prompts that come again, as when several rollouts of a task begin. */
const REMEMBERED_PREFIXES = 32;

/** Gives the prefix (all tokens but the last) of each prompt; `undefined` for a prompt of one token. */
export type PrefixStore = (prompts: readonly Int32Array[]) => Promise<(PromptPrefix | undefined)[]>;

/** Creates a store that computes a prompt's prefix once, also when it comes in several requests. */
export function createPrefixStore(options: PrefillOptions): PrefixStore {
  const remembered = new Map<string, PromptPrefix>();
  return async (prompts) => {
    const keys = prompts.map((prompt) => prompt.join());
    const missing = new Map<string, Int32Array>();
    prompts.forEach((prompt, index) => {
      if (prompt.length > 1 && !remembered.has(keys[index]!)) missing.set(keys[index]!, prompt.subarray(0, -1));
    });
    const computed = await prefillPrompts([...missing.values()], options);
    [...missing.keys()].forEach((key, index) => {
      remembered.set(key, computed[index]!);
    });
    const prefixes = keys.map((key) => remembered.get(key));
    for (const key of remembered.keys()) {
      if (remembered.size <= REMEMBERED_PREFIXES) break;
      remembered.delete(key);
    }
    return prefixes;
  };
}
