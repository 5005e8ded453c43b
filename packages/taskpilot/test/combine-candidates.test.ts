import type { Candidate, SpanEdit } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { combineCandidates } from '../src/generator/combine-candidates.js';
import type { CombinationScope } from '../src/generator/combine-parts.js';
import { createMutationGenerator } from '../src/generator/create-mutation-generator.js';
import { languageOf } from '../src/generator/languages/languages.js';
import { parseFile } from '../src/generator/mutation-site.js';
import { createParserCache } from '../src/generator/syntax-parser.js';
import { seededRandom } from '../src/seeded-random.js';
import { candidateIdOf } from '../src/validate/candidate-trees.js';
import { sampleSnapshot } from './support/sample-project.js';
import { wholePrograms } from './support/whole-programs.js';

function candidate(file: string, ...spans: [number, number][]): Candidate {
  const edits = spans.map(([start, end]) => ({ file, start, end, text: 'x' }));
  return { edits, lineage: { generator: 'test', operator: 'test-operator', file, line: (spans[0]?.[0] ?? 0) + 1 } };
}

function combineAll(candidates: readonly Candidate[], scope: CombinationScope, size = 2, seed = 1) {
  return [...combineCandidates({ candidates, snapshot, scope, size, random: seededRandom(seed) })];
}

const snapshot = { hash: 'a'.repeat(64) };

const filesOf = (candidates: readonly Candidate[]) => candidates.map(({ lineage }) => lineage.file);

describe('combineCandidates', () => {
  test('finds every pair of one file that is apart, and none that overlaps or touches', () => {
    const parts = [candidate('a.js', [0, 4]), candidate('a.js', [3, 5]), candidate('a.js', [5, 7]), candidate('a.js', [9, 9], [20, 21])];
    const spans = combineAll(parts, 'same-file').map(({ candidate: { edits } }) => (edits as SpanEdit[]).map(({ start }) => start).join());
    expect(spans.sort()).toEqual(['0,5', '0,9,20', '3,9,20', '5,9,20']);
  });

  test('keeps to one file, to one folder, or to different files', () => {
    const parts = ['lib/a.js', 'lib/a.js', 'lib/b.js', 'src/c.js'].map((file, index) => candidate(file, [index * 10, index * 10 + 1]));
    const pairs = (scope: CombinationScope) => combineAll(parts, scope).map((combination) => filesOf(combination.parts).join(' '));
    expect(pairs('same-file')).toEqual(['lib/a.js lib/a.js']);
    expect(pairs('same-module').sort()).toEqual(['lib/a.js lib/b.js', 'lib/a.js lib/b.js']);
    expect(new Set(pairs('across-files'))).toEqual(new Set(['lib/a.js lib/b.js', 'lib/a.js src/c.js', 'lib/b.js src/c.js']));
  });

  test('names the scope and the place of its first part, and keeps the parts', () => {
    const [late, early] = [candidate('a.js', [8, 9]), candidate('a.js', [2, 3])];
    const [combination] = combineAll([late, early], 'same-file');
    expect(combination).toEqual({
      candidate: {
        edits: [...early.edits, ...late.edits],
        lineage: {
          generator: 'combination',
          operator: 'combine-same-file',
          file: 'a.js',
          line: 3,
          parts: [early, late].map((part) => candidateIdOf({ snapshot, candidate: part })),
        },
      },
      parts: [early, late],
    });
  });

  test('the same seed gives the same combinations, another seed another order', () => {
    const parts = Array.from({ length: 8 }, (_, index) => candidate('a.js', [index * 4, index * 4 + 1]));
    const first = combineAll(parts, 'same-file', 3, 1);
    expect(first).toEqual(combineAll(parts, 'same-file', 3, 1));
    expect(first).not.toEqual(combineAll(parts, 'same-file', 3, 2));
    expect(first.every((combination) => combination.parts.length === 3)).toBe(true);
    expect(new Set(first.map(({ candidate: { edits } }) => JSON.stringify(edits))).size).toBe(first.length);
  });

  test('passes over whole files and candidates with a solution', () => {
    const [one, other] = [candidate('a.js', [0, 1]), candidate('a.js', [4, 5])];
    const whole: Candidate = { ...other, edits: [{ file: 'a.js', content: null }] };
    expect(combineAll([one, whole, { ...other, solution: [] }], 'same-file')).toEqual([]);
  });

  test('gives nothing for too few parts, and refuses sizes that are no combination', () => {
    expect(combineAll([candidate('a.js', [0, 1])], 'same-file')).toEqual([]);
    for (const size of [1, 5, 2.5]) {
      expect(() => combineAll([], 'same-file', size)).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
    }
  });

  test('combinations of real candidates still parse', async () => {
    const file = 'lib/a.py';
    const text = wholePrograms.python;
    const sources = { ...sampleSnapshot({ files: { [file]: text } }), sourceFiles: [file] };
    const candidates: Candidate[] = [];
    for await (const proposed of createMutationGenerator().propose({ snapshot: sources, random: seededRandom(4) }))
      candidates.push(proposed);
    const language = languageOf(file);
    if (language === null) throw new Error('no language');
    const parser = await createParserCache().parserFor(language.grammar);
    let count = 0;
    for (const combination of combineCandidates({ candidates, snapshot, scope: 'same-file', size: 4, random: seededRandom(5) })) {
      const source = parseFile({ file, text: applyEdits(text, combination.candidate.edits as SpanEdit[]), language, parser });
      expect(source?.tree.rootNode.hasError, JSON.stringify(combination.candidate.edits)).toBe(false);
      source?.tree.delete();
      count += 1;
      if (count === 200) break;
    }
    expect(count).toBe(200);
  });
});
