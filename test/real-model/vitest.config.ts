import { defineConfig } from 'vitest/config';

const conditions = ['@tadpole/source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: ['test/real-model/*.test.ts'], testTimeout: 230_000 },
});
