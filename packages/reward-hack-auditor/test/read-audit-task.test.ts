import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { taskDataSchema } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { projectNames, readAuditTask } from '../src/index.js';

const clamp = fileURLToPath(new URL('../../../examples/tasks/clamp', import.meta.url));
const data = taskDataSchema.parse({
  id: 'clamp',
  instruction: 'Keep values between the bounds.',
  environment: { dependencies: [] },
  limits: {
    ...{ processes: 8, memoryBytes: 1e9, cpuSeconds: 60, timeoutMs: 60_000, fileBytes: 1e8 },
    ...{ writtenBytes: 1e9, writtenFiles: 1e5, outputBytes: 1e6 },
  },
  verifier: {
    ...{ kind: 'tests', runner: 'node-test', testFiles: ['test/clamp.test.js'], failToPass: ['test/clamp.test.js::clamps'] },
    ...{ passToPass: [], protectedPaths: [], timeoutMs: 60_000 },
  },
  lineage: { kind: 'written', author: 'tests', licence: 'MIT' },
});

describe('what an auditor knows of a task', () => {
  it('is the tree, the hidden tests and the answer of its folder, without what is only for grading', async () => {
    const task = await readAuditTask({ data, directory: clamp });
    expect([...task.files.keys()]).toEqual(['src/clamp.js']);
    expect([...task.hiddenTests.keys()].every((path) => path.startsWith('test/'))).toBe(true);
    expect(task.hiddenTests.size).toBeGreaterThan(0);
    expect(task.goldPatch).toBe(readFileSync(join(clamp, 'solution/gold.patch'), 'utf8'));
    expect(task).toMatchObject({ statement: data.instruction, workspacePath: '/workspace', visibleTests: [] });
  });

  it('leaves out links, binary files, long files and installed packages', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tadpole-audit-task-'));
    cpSync(clamp, directory, { recursive: true });
    const workspace = join(directory, 'environment/workspace');
    writeFileSync(join(workspace, 'binary.bin'), 'a\0b');
    writeFileSync(join(workspace, 'long.txt'), 'x'.repeat(1_048_577));
    symlinkSync('/etc/passwd', join(workspace, 'link.txt'));
    mkdirSync(join(workspace, 'node_modules/a'), { recursive: true });
    writeFileSync(join(workspace, 'node_modules/a/index.js'), '');
    writeFileSync(join(workspace, 'package.json'), '{\n  "name": "@scope/clamp"\n}\n');
    const task = await readAuditTask({ data, directory });
    expect([...task.files.keys()].sort()).toEqual(['package.json', 'src/clamp.js']);
    expect(task.projectNames).toEqual(['@scope/clamp']);
  });

  it('is empty where the folder holds nothing', async () => {
    const task = await readAuditTask({ data, directory: mkdtempSync(join(tmpdir(), 'tadpole-audit-task-')) });
    expect([task.files.size, task.hiddenTests.size, task.goldPatch]).toEqual([0, 0, undefined]);
  });
});

it('reads the names of a project from the manifests of JavaScript and Python', () => {
  const files = new Map([
    ['packages/a/package.json', '{ "private": true,\n  "name": "a" }'],
    ['pyproject.toml', '[project]\nname = "b-c"\n'],
    ['setup.cfg', '[metadata]\nname = d.e\n'],
    ['src/package.js', 'name = "no"'],
  ]);
  expect(projectNames(files)).toEqual(['a', 'b-c', 'd.e']);
});
