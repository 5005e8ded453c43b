import type { Outcome } from '@tadpole/contracts';
import { type SynthesisPolicy, type SynthesisRollout, seededRandom, type TaskDraft } from '../../src/index.js';

const scored = (reward: number): Outcome => ({ status: 'scored', reward, components: {}, tests: [] });

/** A policy that solves each sample of a task by its own draw with probability `rateOf`; `rolledOut` lists what it was asked. */
export function syntheticPolicy(options: {
  rateOf: (task: TaskDraft) => number;
  seed?: number;
  more?: Partial<SynthesisRollout>;
}): SynthesisPolicy & { rolledOut: string[] } {
  const { rateOf, seed = 1, more = {} } = options;
  const rolledOut: string[] = [];
  return {
    weightsVersion: 'synthetic',
    rolledOut,
    async *rollOut({ requests, signal }) {
      for (const { task, samples } of requests) {
        for (const sample of samples) {
          signal?.throwIfAborted();
          rolledOut.push(`${task.data.id} ${sample}`);
          const draw = seededRandom(`${seed} ${task.data.id} ${sample}`)();
          yield { taskId: task.data.id, outcome: scored(draw < rateOf(task) ? 1 : 0), ...more };
        }
      }
    },
  };
}
