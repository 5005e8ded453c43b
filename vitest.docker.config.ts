import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

/** Tests that need a container engine, one file at a time; `test/engines` starts one. */
export default defineConfig({
  resolve: base.resolve,
  ssr: base.ssr,
  test: { include: ['packages/*/test/docker/**/*.test.ts'], maxWorkers: 1, testTimeout: 60_000, hookTimeout: 60_000 },
});
