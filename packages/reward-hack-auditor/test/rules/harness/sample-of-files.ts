import type { AuditSample } from '../../../src/testing/index.js';
import { createAuditSample, type SampleCall } from '../../../src/testing/index.js';

/** Text before and after; `undefined` where there is no file. */
type Sides = readonly [before: string | undefined, after: string | undefined];

/** A unified diff of files by their two sides: one hunk a file, from the first to the last line that differs. */
export function patchOfFiles(files: Readonly<Record<string, Sides>>): string {
  return Object.entries(files)
    .map(([path, [before, after]]) => patchOfFile(path, before, after))
    .join('');
}

function patchOfFile(path: string, before: string | undefined, after: string | undefined): string {
  const old = linesOf(before);
  const made = linesOf(after);
  let head = 0;
  while (head < Math.min(old.length, made.length) && old[head] === made[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, made.length) - head && old.at(-1 - tail) === made.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = made.slice(head, made.length - tail);
  const start = (count: number, length: number) => (count === 0 && length === 0 ? 0 : count === 0 ? head : head + 1);
  const mode = before === undefined ? 'new file mode 100644\n' : after === undefined ? 'deleted file mode 100644\n' : '';
  return [
    `diff --git a/${path} b/${path}\n${mode}`,
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}\n+++ ${after === undefined ? '/dev/null' : `b/${path}`}\n`,
    `@@ -${start(removed.length, old.length)},${removed.length} +${start(added.length, made.length)},${added.length} @@\n`,
    ...removed.map((line) => `-${line}\n`),
    ...added.map((line) => `+${line}\n`),
  ].join('');
}

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

const python: Readonly<Record<string, string>> = {
  'pyproject.toml': '[project]\nname = "tariff"\nversion = "1.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
  Makefile: 'test:\n\tpython -m pytest -q\n\nlint:\n\truff check src\n',
  'src/tariff/__init__.py': 'from tariff.price import price\n',
  'src/tariff/price.py': 'def price(amount):\n    return round(amount * 1.19, 2)\n',
  'tests/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef rates():\n    return {"DE": 19}\n',
  'tests/test_price.py': 'from tariff import price\n\n\ndef test_price(rates):\n    assert price(100) == 119\n',
  'tests/expected/large.txt': 'total 119.00\n',
};
const script: Readonly<Record<string, string>> = {
  'package.json':
    '{\n  "name": "tariff",\n  "type": "module",\n  "imports": {\n    "#money": "./src/money.ts"\n  },\n  "scripts": {\n    "test": "vitest run",\n    "types": "tsc -p ."\n  }\n}\n',
  'vitest.config.ts':
    'import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: {\n    include: ["test/**/*.test.ts"],\n  },\n});\n',
  'tsconfig.json': '{\n  "compilerOptions": {\n    "strict": true\n  },\n  "include": ["src", "test"]\n}\n',
  'src/money.ts': 'export const money = (cents: number) => (cents / 100).toFixed(2);\n',
  'src/price.ts': 'import { money } from "#money";\n\nexport const price = (cents: number) => money(cents * 1.19);\n',
  'test/price.test.ts':
    'import { expect, test } from "vitest";\nimport { price } from "../src/price";\n\ntest("adds the tax", () => {\n  expect(price(100)).toBe("1.19");\n});\n',
  'test/__snapshots__/price.test.ts.snap': 'exports[`price 1`] = `"1.19"`;\n',
};

/** A sample in a small Python or TypeScript project: `change` gives files their text after, `null` removes one. */
function sampleOfFiles(options: {
  name: string;
  language: 'python' | 'script';
  change?: Readonly<Record<string, string | null>>;
  /** What the gold changes. @default only product code */
  gold?: Readonly<Record<string, string | null>>;
  /** Files of the base beside the usual ones. */
  base?: Readonly<Record<string, string>>;
  calls?: readonly SampleCall[];
  statement?: string;
}): AuditSample {
  const { name, language, change = {}, gold = {}, base = {}, calls, statement } = options;
  const usual = language === 'python' ? python : script;
  const files = { ...usual, ...base };
  const patch = (given: Readonly<Record<string, string | null>>) =>
    patchOfFiles(Object.fromEntries(Object.entries(given).map(([path, after]) => [path, [files[path], after ?? undefined] as const])));
  const test = language === 'python' ? 'tests/test_price.py' : 'test/price.test.ts';
  const product = language === 'python' ? 'src/tariff/price.py' : 'src/price.ts';
  return createAuditSample({
    name,
    patch: patch(change),
    ...(calls === undefined ? {} : { calls }),
    task: {
      files,
      visibleTests: [test],
      hiddenTests: { [test]: files[test] ?? '' },
      goldPatch: patch({ [product]: `${files[product]}\n# rounded\n`, ...gold }),
      workspacePath: '/workspace/tariff',
      projectNames: ['tariff'],
      ...(statement === undefined ? {} : { statement }),
    },
  });
}

type Change = Readonly<Record<string, string | null>>;
type More = Omit<Parameters<typeof sampleOfFiles>[0], 'name' | 'language' | 'change'>;

/** A sample in the Python project. */
export function pythonSample(name: string, change: Change, more: More = {}): AuditSample {
  return sampleOfFiles({ name, language: 'python', change, ...more });
}

/** A sample in the TypeScript project. */
export function scriptSample(name: string, change: Change, more: More = {}): AuditSample {
  return sampleOfFiles({ name, language: 'script', change, ...more });
}

/** The Python project's `pyproject.toml`, for more to be written after it. */
export const pyproject = python['pyproject.toml'] ?? '';

/** `tests/conftest.py` with more at its end. */
export function conftest(text: string): Readonly<Record<string, string>> {
  return { 'tests/conftest.py': `${python['tests/conftest.py']}\n\n${text}` };
}

/** The TypeScript project's `package.json` with another test script, and text after the scripts. */
export function packageJson(test: string, more = ''): string {
  return `{\n  "name": "tariff",\n  "type": "module",\n  "imports": {\n    "#money": "./src/money.ts"\n  },\n  "scripts": {\n    "test": ${JSON.stringify(test)},\n    "types": "tsc -p ."${more}\n  }\n}\n`;
}

/** The TypeScript project's `vitest.config.ts` with more test settings, imports and other settings. */
export function vitestConfig(settings: string, head = '', top = ''): string {
  return `import { defineConfig } from "vitest/config";\n${head}\nexport default defineConfig({\n${top}  test: {\n    include: ["test/**/*.test.ts"],\n${settings}  },\n});\n`;
}

/** A Makefile whose test recipe is this line. */
export function makefile(line: string, head = ''): Readonly<Record<string, string>> {
  return { Makefile: `${head}test:\n\t${line}\n\nlint:\n\truff check src\n` };
}
