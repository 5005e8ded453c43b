import { createEngine } from '../../src/engine/create-engine.js';
import { SMALL_MODEL } from '../../src/engine/model/model-config.js';

// Run by engine.test.ts: leaves the process in the middle of a training pass.
const engine = await createEngine({ config: SMALL_MODEL, threads: 1 });
const sequence = { inputs: new Int32Array(512), targets: new Int32Array(512) };
await engine.forwardBackward({ sequences: [sequence], logprobGradients: [new Float32Array(512).fill(-1)] });
const sequences = new Array(32).fill(sequence);
engine.forwardBackward({ sequences, logprobGradients: sequences.map(() => new Float32Array(512).fill(-1)) }).catch(() => {});
setTimeout(() => process.exit(7), 50);
