import { readFileSync } from 'node:fs';
import { createEngine } from '../../src/engine/create-engine.js';
import { SMALL_MODEL } from '../../src/engine/model/model-config.js';

// Run by engine.test.ts: prints the engine's process id and leaves in the middle of a training pass.
const engine = await createEngine({ config: SMALL_MODEL, threads: 1 });
const sequence = { inputs: new Int32Array(512), targets: new Int32Array(512) };
await engine.forwardBackward({ sequences: [sequence], logprobGradients: [new Float32Array(512).fill(-1)] });
const sequences = new Array(32).fill(sequence);
engine.forwardBackward({ sequences, logprobGradients: sequences.map(() => new Float32Array(512).fill(-1)) }).catch(() => {});
process.stdout.write(readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8'));
setTimeout(() => process.exit(7), 50);
