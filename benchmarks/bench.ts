// `npm run bench -- NAME FLAGS`: prints a table for people and, as its last line, one line of JSON.
import { auditBenchmark } from './audit/audit-benchmark.js';
import { engineBenchmark } from './engine/engine-benchmark.js';
import { generationBenchmark } from './generation-benchmark.js';
import { gpuBenchmark } from './gpu/gpu-benchmark.js';
import { runtimeBenchmark } from './runtime/runtime-benchmark.js';

const benchmarks = {
  audit: auditBenchmark,
  engine: engineBenchmark,
  generation: generationBenchmark,
  gpu: gpuBenchmark,
  runtime: runtimeBenchmark,
};
const [name = '', ...flags] = process.argv.slice(2);

if (!Object.hasOwn(benchmarks, name)) {
  process.stderr.write(`bench: expected one of ${Object.keys(benchmarks).join(', ')}, got ${JSON.stringify(name)}\n`);
  process.exitCode = 2;
} else {
  await benchmarks[name as keyof typeof benchmarks](flags);
}
