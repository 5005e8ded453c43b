import { defineConfig } from 'vitest/config';

const conditions = ['@tadpole/source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Most of the time goes by in processes that are waited for.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['**/fixtures/**', 'packages/*/test/docker/**', 'packages/*/test/torch/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['packages/contracts/test/**/*.test-d.ts'],
            tsconfig: 'packages/contracts/tsconfig.json',
          },
        },
      },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: ['test/real-model/**', 'test/skyrl/**', 'test/tinker-sdk/**'] },
      },
    ],
  },
});
