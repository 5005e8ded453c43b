import { beforeAll, describe, expect, it } from 'vitest';
import { loadParsers } from '../../src/parse/load-parsers.js';
import { rewriteImports } from '../../src/verify/replay/rewrite-imports.js';

beforeAll(loadParsers);

function rewrite(text: string, path = 'test/row.test.ts'): string {
  const moved = (file: string) => (file.startsWith('test/') ? `/tmp/moved/${file.replace('test/', 'usage/')}` : undefined);
  return rewriteImports({ text, path, workspacePath: '/workspace/row', shimPath: '/tmp/run/frameworks.cjs', moved });
}

describe('rewriting the imports of tests', () => {
  it('binds what a test takes from a framework to the stand-ins', () => {
    const text = rewrite('import assert from "node:assert/strict";\nimport { test as check, type TestContext } from "node:test";\n');
    expect(text).toContain('const assert = __audit["node:assert"].default');
    expect(text).toContain('const { test: check } = __audit["node:test"];');
    expect(text).not.toContain('TestContext');
  });

  it('leads relative imports to the product, and to helpers where these were moved', () => {
    const text = rewrite('import { parse } from "../src/row.ts";\nimport { help } from "./help.ts";\nimport fc from "fast-check";\n');
    expect(text).toContain('"/workspace/row/src/row.ts"');
    expect(text).toContain('"/tmp/moved/usage/help.ts"');
    expect(text).toContain('"fast-check"');
  });

  it('does the same for required modules and for functions that are global', () => {
    const text = rewrite(
      'const assert = require("assert");\nconst { parse } = require("../lib/row");\ndescribe("row", () => {});\n',
      'test/row.js',
    );
    expect(text).toMatch(/^const __audit = require\("\/tmp\/run\/frameworks\.cjs"\); const \{ test, it, describe/);
    expect(text).toContain('__audit["node:assert"].default');
    expect(text).toContain('require("/workspace/row/lib/row")');
  });
});
