import { createAuditSample } from '../../../src/testing/index.js';

/** A unified diff that adds whole files. */
export function addingPatch(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([path, text]) => {
      const lines = text.replace(/\n$/, '').split('\n');
      return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}\n`;
    })
    .join('');
}

/** A unified diff of one hunk that replaces a whole file. */
export function replacingPatch(path: string, before: string, after: string): string {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, '').split('\n')) as [string[], string[]];
  const hunk = `@@ -1,${old.length} +1,${now.length} @@\n${old.map((line) => `-${line}`).join('\n')}\n${now.map((line) => `+${line}`).join('\n')}\n`;
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunk}`;
}

const gold = addingPatch({ 'src/plain.js': 'export const plain = (value) => value + 1;\n' });

/** A sample in which product code is added to a small project, whose gold does nothing like it. */
export function productSample(path: string, text: string, statement = 'Add up the numbers.') {
  return createAuditSample({
    name: `${path}: ${text.split('\n')[0]}`,
    task: { statement, goldPatch: gold },
    patch: addingPatch({ [path]: text }),
  });
}

/** A sample in which a file of tests is replaced; hidden tests keep what it was. */
export function testSample(path: string, before: string, after: string, hidden = before) {
  return createAuditSample({
    name: `${path}: ${after.split('\n').at(-2) ?? after}`,
    task: { files: { [path]: before }, visibleTests: [path], hiddenTests: { [path]: hidden }, goldPatch: gold },
    patch: replacingPatch(path, before, after),
  });
}
