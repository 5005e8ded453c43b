import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.js';

/** Against a real SkyRL, in the interpreter `TADPOLE_SKYRL_PYTHON`; `install-skyrl.sh` makes one. */
export default defineConfig({
  resolve: base.resolve,
  ssr: base.ssr,
  test: {
    include: ['test/skyrl/**/*.test.ts'],
    globalSetup: 'test/skyrl/share-compiled.ts',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});
