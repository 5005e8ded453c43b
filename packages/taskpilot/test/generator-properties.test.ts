import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot, SpanEdit } from '@tadpole/contracts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { createMutationGenerator } from '../src/generator/create-mutation-generator.js';
import { languageOf, languages } from '../src/generator/languages/languages.js';
import { parseFile } from '../src/generator/mutation-site.js';
import { descendants, nodeCovering, type SyntaxNode } from '../src/generator/syntax-node.js';
import { createParserCache } from '../src/generator/syntax-parser.js';
import { seededRandom } from '../src/seeded-random.js';
import { wholePrograms } from './support/whole-programs.js';

const parsers = createParserCache();
const generator = createMutationGenerator();
const directory = mkdtempSync(join(tmpdir(), 'tadpole-properties-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type SpanCandidate = { readonly edits: readonly SpanEdit[]; readonly lineage: { readonly operator: string } };

/** All candidates of one file, in the order of a seed. */
async function propose(options: { file: string; text: string; seed: number }): Promise<SpanCandidate[]> {
  writeFileSync(join(directory, options.file), options.text);
  const snapshot = { directory, sourceFiles: [options.file] } as unknown as Snapshot;
  const candidates: SpanCandidate[] = [];
  for await (const candidate of generator.propose({ snapshot, random: seededRandom(options.seed) }))
    candidates.push(candidate as SpanCandidate);
  return candidates;
}

async function parse(file: string, text: string): Promise<{ root: SyntaxNode; hasError: boolean }> {
  const language = languageOf(file);
  const parser = await parsers.parserFor(language?.grammar ?? '');
  const source = language === null ? null : parseFile({ file, text, language, parser });
  if (source === null) throw new Error(`no tree for ${file}`);
  const { root, tree } = source;
  const { hasError } = tree.rootNode;
  tree.delete();
  return { root, hasError };
}

/** The edits that take a candidate back, in the offsets of the mutated text. */
function undo(text: string, { edits }: SpanCandidate) {
  let shift = 0;
  return [...edits]
    .sort((left, right) => left.start - right.start)
    .map(({ file, start, end, text: added }) => {
      const from = start + shift;
      shift += added.length - (end - start);
      return { file, start: from, end: from + added.length, text: text.slice(start, end) };
    });
}

/** Programs with other line ends, tabs, a byte order mark and astral characters. */
const programs = fc
  .record({
    language: fc.constantFrom(...languages),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
    note: fc.constantFrom('plain', '😀 a < b', '𝕏 true && 7'),
    isTabbed: fc.boolean(),
    seed: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ language, lineEnd, mark, note, isTabbed, seed }) => {
    const program = wholePrograms[language.name].replaceAll('NOTE', note);
    const indented = isTabbed ? program.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)) : program;
    return { language, file: `a${language.extensions[0]}`, text: mark + indented.replaceAll('\n', lineEnd), seed };
  });

test('edits lie inside the file and change it, undoing them restores it, and what they make parses', async () => {
  await fc.assert(
    fc.asyncProperty(programs, async ({ file, text, seed }) => {
      expect((await parse(file, text)).hasError).toBe(false);
      const candidates = await propose({ file, text, seed });
      expect(candidates.length).toBeGreaterThan(40);
      for (const candidate of candidates) {
        const mutated = applyEdits(text, candidate.edits);
        expect(mutated).not.toBe(text);
        expect(applyEdits(mutated, undo(text, candidate))).toBe(text);
        expect((await parse(file, mutated)).hasError, `${candidate.lineage.operator}: ${mutated}`).toBe(false);
        const ends = (code: string) => new Set(code.match(/\r?\n/g) ?? []);
        expect([...ends(mutated)].every((end) => ends(text).has(end))).toBe(true);
      }
    }),
    { numRuns: 20 },
  );
});

test('carriage returns stay with their line ends in every language, after comments too', async () => {
  for (const language of languages) {
    const file = `a${language.extensions[0]}`;
    const text = wholePrograms[language.name].replaceAll('\n', '\r\n');
    for (const { edits, lineage } of await propose({ file, text, seed: 1 })) {
      expect(applyEdits(text, edits), `${language.name} ${lineage.operator}`).not.toMatch(/[^\r]\n|\r(?!\n)/);
    }
  }
});

test('no edit cuts a token, nor lies inside a comment, a string, a type, an import or a decorator', async () => {
  for (const language of languages) {
    const file = `a${language.extensions[0]}`;
    const text = wholePrograms[language.name].replaceAll('NOTE', '😀 a < b && true == 7');
    const { root } = await parse(file, text);
    const nodes = [...descendants(root)];
    const tokens = nodes.filter(({ children }) => children.length === 0);
    const forbidden = nodes.filter(({ type }) => [...language.comments, ...language.untouched].includes(type));
    expect(forbidden.length).toBeGreaterThan(2);
    for (const { edits, lineage } of await propose({ file, text, seed: 1 })) {
      for (const { start, end } of edits) {
        const where = `${language.name} ${lineage.operator} ${text.slice(start, end)}`;
        const cut = tokens.filter((token) => [start, end].some((at) => token.start < at && at < token.end));
        const inside = forbidden.filter((node) => node.start <= start && end <= node.end);
        expect(
          [...cut, ...inside].map(({ type }) => type),
          where,
        ).toEqual([]);
        const around = nodeCovering(root, { start, end });
        const isPartOfText = language.texts.includes(around.type) && (around.start < start || end < around.end);
        expect(isPartOfText, where).toBe(false);
      }
    }
  }
});

test('the same seed gives the same candidates; another seed gives the same ones in another order', async () => {
  for (const language of languages) {
    const file = `a${language.extensions[0]}`;
    const text = wholePrograms[language.name];
    const [first, again, other] = await Promise.all([1, 1, 2].map((seed) => propose({ file, text, seed })));
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    // two operators may make the same file; whose name it bears depends on the order
    const edits = (candidates: readonly SpanCandidate[] = []) => new Set(candidates.map((candidate) => applyEdits(text, candidate.edits)));
    expect(edits(other)).toEqual(edits(first));
  }
});
