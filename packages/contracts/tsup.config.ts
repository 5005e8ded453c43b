import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', 'tinker/index': 'src/tinker/index.ts' },
  format: 'esm',
  dts: true,
  clean: true,
  target: 'node20',
});
