import type { Candidate } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { createFactReader } from '../src/generator/candidate-facts.js';

const texts = {
  'a.js': 'const limit = 1;\n\nconst check = (value) => {\n  if (value > limit) {\n    return true;\n  }\n  return false;\n};\n',
  'b.py': 'class A:\n    def run(self):\n        """Doc."""\n        x = 1\n        return x\n',
  'c.txt': 'one\ntwo\n',
  'new.js': null,
};

function edit(file: keyof typeof texts, before: string, text: string) {
  const start = texts[file]?.indexOf(before) ?? -1;
  return { file, start, end: start + before.length, text };
}

function candidate(operator: string, ...edits: Candidate['edits']): Candidate {
  return { edits, lineage: { generator: 'mutation', operator, file: edits[0]?.file ?? '', line: 1 } };
}

test.each<[string, Candidate, object]>([
  [
    'an edit in a named arrow function',
    candidate('reverse-comparison', edit('a.js', '>', '<')),
    { family: 'operators', files: 1, edits: 1, changedLines: 2, functionName: 'check', functionLines: 6 },
  ],
  [
    'an edit outside functions',
    candidate('shift-integer', edit('a.js', '1', '2')),
    { family: 'constants', files: 1, edits: 1, changedLines: 2, functionName: null, functionLines: null },
  ],
  [
    'lines put away in a method',
    candidate('remove-body', edit('b.py', 'x = 1\n        return x', 'return None')),
    { family: 'bodies', files: 1, edits: 1, changedLines: 3, functionName: 'run', functionLines: 4 },
  ],
  [
    'a combination across files, one of them without a grammar',
    candidate('combine-across-files', edit('b.py', 'x = 1', 'x = 2'), edit('c.txt', 'two', 'three')),
    { family: null, files: 2, edits: 2, changedLines: 4, functionName: 'run', functionLines: 4 },
  ],
  [
    'a first edit in a file without a grammar',
    candidate('other', edit('c.txt', 'one\n', '')),
    { family: null, files: 1, edits: 1, changedLines: 1, functionName: null, functionLines: null },
  ],
  [
    'work that the snapshot lacks, by its solution',
    { ...candidate('feature'), solution: [{ file: 'new.js', content: 'one\ntwo\n' }, edit('b.py', 'x = 1', 'x = 2')] },
    { family: null, files: 2, edits: 2, changedLines: 4, functionName: null, functionLines: null },
  ],
])('reads %s', async (_, proposed, facts) => {
  expect(await createFactReader()({ candidate: proposed, texts })).toEqual(facts);
});

test('refuses a candidate whose text is missing', async () => {
  const proposed = candidate('other', { file: 'gone.js', start: 0, end: 0, text: 'x' });
  await expect(createFactReader()({ candidate: proposed, texts })).rejects.toMatchObject({ code: 'invalid-input' });
});
