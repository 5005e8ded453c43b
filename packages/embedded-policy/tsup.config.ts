import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', 'engine-worker': 'src/engine/worker/engine-worker.ts' },
  format: 'esm',
  dts: true,
  clean: true,
  target: 'node20',
});
