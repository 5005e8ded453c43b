import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

/** The engine against PyTorch, in the interpreter `TADPOLE_TORCH_PYTHON`; `test/torch/install-torch.sh` makes one. */
export default defineConfig({
  resolve: base.resolve,
  ssr: base.ssr,
  test: { include: ['packages/*/test/torch/**/*.test.ts'], maxWorkers: 1, testTimeout: 120_000, hookTimeout: 60_000 },
});
