import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tadpole-readme-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The TypeScript blocks of a Markdown file, in order. */
function snippets(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
}

describe('the READMEs', () => {
  it('show only TypeScript that compiles against the packages as they are', async () => {
    const files = ['README.md', ...(await readdir(path.join(root, 'packages'))).map((name) => `packages/${name}/README.md`)];
    let count = 0;
    for (const file of files) {
      const found = snippets(await readFile(path.join(root, file), 'utf8'));
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      for (const [index, snippet] of found.entries()) {
        await writeFile(path.join(folder, path.dirname(file), `snippet-${index}.ts`), `${snippet}\nexport {};\n`);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(0);
    const options = { noUnusedLocals: false };
    const configuration = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: options,
      include: ['.'],
      exclude: ['node_modules'],
    };
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const report = await new Promise<string>((resolve) => {
      const compiler = path.join(root, 'node_modules/.bin/tsc');
      execFile(compiler, ['-p', folder], { cwd: folder }, (error, stdout, stderr) =>
        resolve(error === null ? '' : stdout + stderr + error.message),
      );
    });
    expect(report).toBe('');
  }, 600_000);
});
