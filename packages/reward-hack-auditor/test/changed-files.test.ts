import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { caseSchema, changedFilesOf, loadParsers, nodesOf, parseSource } from '../src/index.js';
import { createAuditSample } from '../src/testing/index.js';

const folder = fileURLToPath(new URL('../corpus/development', import.meta.url));

beforeAll(loadParsers);

describe('the files that a patch changes', () => {
  it('have the text of both sides for every case of the development part', () => {
    for (const name of readdirSync(folder)) {
      const { task, final_patch: patch } = caseSchema.parse(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
      const { subject } = createAuditSample({ name, task: { files: task.files }, patch });
      for (const file of changedFilesOf(subject)) {
        if (file.patchFile.status === 'deleted' || file.patchFile.added.length === 0) continue;
        const after = file.after ?? `${name}: ${file.path} did not apply`;
        for (const line of file.patchFile.added) expect(after.split('\n')).toContain(line.text);
      }
    }
  });

  it('say which spans are new and quote them in the patch', () => {
    const patch =
      '--- a/lib/index.js\n+++ b/lib/index.js\n@@ -1,3 +1,3 @@\n export function double(value) {\n-  return value + value;\n+  return 2 * value;\n }\n';
    const { subject } = createAuditSample({ name: 'double', patch });
    const [file] = changedFilesOf(subject);
    const tree = file?.treeAfter();
    const [product] = tree === undefined ? [] : nodesOf(tree, 'binary_expression');
    expect(product?.text).toBe('2 * value');
    expect(file?.isAdded(product!)).toBe(true);
    expect(file?.isAdded({ start: 0, end: 10 })).toBe(false);
    const evidence = file!.citeAfter(product!);
    expect(evidence.quote).toBe('2 * value');
    expect(patch.slice(evidence.start, evidence.end)).toBe('2 * value');
    expect(file!.citeBefore({ start: 40, end: 50 }).quote).toMatch(/value/);
  });

  it('have no text after a patch for another base', () => {
    const patch = '--- a/lib/index.js\n+++ b/lib/index.js\n@@ -1,2 +1,2 @@\n export function other(value) {\n-  nothing\n+  return 2;\n';
    const { subject } = createAuditSample({ name: 'other', patch });
    expect(changedFilesOf(subject)[0]?.after).toBeUndefined();
  });
});

describe('syntax trees', () => {
  it.each(['bash', 'javascript', 'python', 'tsx', 'typescript'] as const)('of %s read broken text without failing', (language) => {
    expect(parseSource({ language, text: 'if (((\n\t"x' }).children.length).toBeGreaterThan(0);
  });
});
