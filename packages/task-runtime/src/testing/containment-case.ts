import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { ContainmentId, SandboxProvider } from '@tadpole/contracts';
import type { ConformanceCase } from './conformance-case.js';

/** An attack on one thing that a provider may claim to contain. */
export interface Attack {
  readonly contains: ContainmentId;
  /** A sentence about what happens when it is contained. */
  readonly name: string;
  /** Throws an assertion error when the attack succeeds. */
  run(open: SandboxProvider['open']): Promise<void>;
}

/**
 * Runs an attack where `describe()` claims that it is contained. Where it does not, the attack would harm this machine:
 * then `describe()` must say so, with a reason.
 */
export function containmentCase(provider: SandboxProvider, attack: Attack): ConformanceCase {
  return {
    name: attack.name,
    async run() {
      const { enforced, notEnforced } = await provider.describe();
      if (enforced.some(({ id }) => id === attack.contains)) return attack.run((request) => provider.open(request));
      const admitted = notEnforced.find(({ id }) => id === attack.contains);
      assert.ok(admitted !== undefined && admitted.why !== '', `describe() says nothing about ${attack.contains}`);
    },
  };
}

let marks = 0;

/** A number of seconds that no other process of this machine sleeps, to find what a case left behind. */
export function markedSeconds(): string {
  marks += 1;
  return `4711.${process.pid}${String(marks).padStart(4, '0')}`;
}

/** Processes of this machine with a word in their command line. */
export function hostProcesses(word: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        return false;
      }
    });
}
