import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.js';

/** The official Python SDK against `tadpole serve`, in the interpreter `TADPOLE_TINKER_PYTHON`; `install-tinker.sh` makes one. */
export default defineConfig({
  resolve: base.resolve,
  ssr: base.ssr,
  test: { include: ['test/tinker-sdk/**/*.test.ts'], maxWorkers: 1, testTimeout: 180_000, hookTimeout: 60_000 },
});
