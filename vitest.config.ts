import { defineConfig } from 'vitest/config';

const conditions = ['@tadpole/source', 'node', 'import', 'module', 'default'];
const shared = { resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } } };

export default defineConfig({
  ...shared,
  test: {
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'packages', include: ['packages/*/test/**/*.test.ts'], typecheck: { enabled: true, include: ['packages/*/test/**/*.test-d.ts'] } } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'] } },
    ],
  },
});
