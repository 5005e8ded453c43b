import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CorpusFile, createFilePicker } from '../src/base/corpus-file.js';
import { denoising } from '../src/base/denoising.js';
import { editDrill } from '../src/base/edit-drill.js';
import { editEpisode } from '../src/base/edit-episode.js';
import { episodeSequence } from '../src/base/episode-sequence.js';
import { lineMutations, pickMutation } from '../src/base/line-mutations.js';
import { dataMix, SEQUENCE_TOKENS, sampleSequence } from '../src/base/sample-sequence.js';
import { type Snippet, sampleSnippet } from '../src/base/sample-snippet.js';
import { statement } from '../src/base/statement.js';
import { trainingBatch } from '../src/base/weighted-sequence.js';
import { createRandom } from '../src/engine/random.js';
import { createRenderer } from '../src/renderer/create-renderer.js';
import { createTokenizer } from '../src/tokenizer/create-tokenizer.js';
import { FIRST_MERGE_ID } from '../src/tokenizer/tokenizer-data.js';
import { trainTokenizer } from '../src/tokenizer/train-tokenizer.js';

const CODE = `function clamp(value, low, high) {
  if (value < low) return low;
  if (value > high && !open) {
    return Math.min(value, high) - 1;
  }
  for (let index = 0; index <= value.length; index++) {
    total += weights[index] * value[index];
  }
  // a comment with a < b
  return isReady ? total : fallback;
}
const limits = { low: 0, high: 12, strict: true };`;
const file: CorpusFile = { path: 'sample-1.0.0/lib/clamp.js', text: CODE, lines: CODE.split('\n') };
const tokenizer = createTokenizer(trainTokenizer({ texts: [CODE], vocabularySize: FIRST_MERGE_ID + 40 }));
const renderer = createRenderer({ tokenizer });
const source = (seed: number) => ({ pickFile: createFilePicker([file], createRandom(seed)), files: [file] });

const textsOf = (line: string) =>
  lineMutations(line)
    .map(({ text }) => text)
    .sort();

/** The one line that an edit changes, its number as the edit writes it, and what it becomes; both trimmed. */
function applied(snippet: Snippet, input: Record<string, unknown>): { index: number; number: number; line: string; edited: string } {
  const [, number, old] = /^(\d+)\. (.*)$/s.exec(String(input.old_string)) ?? [];
  const hits = snippet.lines.flatMap((line, index) => (line.includes(old ?? '\n') ? [index] : []));
  expect(hits).toHaveLength(1);
  const line = snippet.lines[hits[0]!]!;
  expect(line.startsWith(old!)).toBe(true);
  return { index: hits[0]!, number: Number(number), line: line.trim(), edited: line.replace(old!, () => String(input.new_string)).trim() };
}

describe('the mutations of a line', () => {
  it('are the single bugs that fit it', () => {
    expect(textsOf('if (a < b && !c) {')).toEqual(
      ['if (a <= b && !c) {', 'if (a > b && !c) {', 'if (a < b || !c) {', 'if (a < b && c) {'].sort(),
    );
    expect(textsOf('return f(a, b) ? 0 : x;')).toEqual(
      ['return f(b, a) ? 0 : x;', 'return f(a, b) ? 1 : x;', 'return f(a, b) ? x : 0;', 'return !f(a, b) ? 0 : x;'].sort(),
    );
    expect(lineMutations("x = 'a < b'; // c < d")).toEqual([]);
  });

  it('are drawn by their family first, so that a family of many weighs as much as one of one', () => {
    const random = createRandom(1);
    const drawn = Array.from({ length: 900 }, () => pickMutation('if (a < 7 && !c) {', random));
    const share = (text: string) => drawn.filter((line) => line === text).length / drawn.length;
    for (const text of ['if (a < 7 || !c) {', 'if (a < 7 && c) {']) expect(Math.abs(share(text) - 1 / 4), text).toBeLessThan(0.06);
    for (const text of ['if (a <= 7 && !c) {', 'if (a > 7 && !c) {', 'if (a < 6 && !c) {', 'if (a < 8 && !c) {']) {
      expect(Math.abs(share(text) - 1 / 8), text).toBeLessThan(0.05);
    }
    expect(() => pickMutation('{', random)).toThrow('expected a line that a mutation fits, got "{"');
  });

  it('can each be undone by another mutation', () => {
    for (const line of file.lines.map((text) => text.trim())) {
      for (const mutated of textsOf(line)) expect(textsOf(mutated), mutated).toContain(line);
    }
  });
});

describe('a statement', () => {
  const facts = { file: 'lib/utils.js', region: { start: 39, end: 46 } };

  it('reads as the tasks of the first recipe do', () => {
    expect(statement({ ...facts, line: 42, symptom: { expected: '3', observed: '4' } })).toBe(
      'Fix lib/utils.js lines 39-46. Line 42 is wrong: expected 3, got 4.',
    );
    expect(statement({ ...facts, symptom: { error: 'TypeError: foo is not a function' } })).toBe(
      'Fix lib/utils.js lines 39-46: TypeError: foo is not a function.',
    );
  });

  it('cuts values to 24 characters and errors to 48', () => {
    expect(statement({ ...facts, symptom: { expected: 'x'.repeat(25), observed: '0' } })).toContain(`expected ${'x'.repeat(23)}…, got 0`);
    expect(statement({ ...facts, symptom: { error: 'e'.repeat(49) } })).toContain(`: ${'e'.repeat(47)}….`);
  });
});

describe('an edit episode', () => {
  it('reads the region, edits one of its lines into a mutation of it, and ends', () => {
    for (let seed = 0; seed < 50; seed++) {
      const snippet = sampleSnippet(source(seed), createRandom(seed));
      const [instruction, read, observation, edit, answer, last] = editEpisode(snippet, createRandom(seed), { editsAtOnce: 0 });
      expect(instruction?.content).toMatch(
        new RegExp(`^Fix ${snippet.path} lines ${snippet.start}-${snippet.start + 7}(\\. Line \\d+ is wrong)?: .+\\.(\\n\\d+\\. .+)?$`),
      );
      expect(argumentsOf(read)).toEqual({ file_path: snippet.path, offset: snippet.start, limit: 8 });
      expect(observation?.content.split('\n')).toEqual([
        snippet.path,
        ...snippet.lines.map((line, index) => `${snippet.start + index}. ${line}`),
      ]);
      const { file_path: path, ...input } = argumentsOf(edit);
      expect(path).toBe(snippet.path);
      const { index, number, line, edited } = applied(snippet, input);
      expect(number).toBe(snippet.start + index);
      expect(textsOf(line)).toContain(edited);
      expect([answer?.content, last?.content]).toEqual([`Edited ${snippet.path} (1 replacement).`, 'Done.']);
    }
  });

  it('edits the named line in about the stated share and restores it only by chance', () => {
    const random = createRandom(3);
    let onNamed = 0;
    let restored = 0;
    const count = 600;
    for (let index = 0; index < count; index++) {
      const snippet = sampleSnippet(source(index), random);
      const episode = editEpisode(snippet, random, { namesLine: 1, namesBroken: 1, editsAtOnce: 0 });
      const { index: line, edited } = applied(snippet, argumentsOf(episode[3]));
      if (line === snippet.broken) onNamed += 1;
      if (edited === snippet.original) restored += 1;
    }
    expect(onNamed / count).toBeGreaterThan(0.72);
    expect(onNamed / count).toBeLessThan(0.88);
    expect(restored / onNamed).toBeLessThan(0.6);
  });

  it('edits a quoted line without a Read in a share of the episodes, and no other line', () => {
    const random = createRandom(5);
    const episodes = Array.from({ length: 200 }, (_, index) =>
      editEpisode(sampleSnippet(source(index), random), random, { editsAtOnce: 0.5 }),
    );
    const atOnce = episodes.filter(({ length }) => length === 4);
    expect(atOnce.length).toBeGreaterThan(40);
    expect(atOnce.length).toBeLessThan(100);
    for (const [instruction, edit] of atOnce) {
      const [, quoted = ''] = instruction!.content.split('\n');
      expect(quoted.startsWith(String(argumentsOf(edit).old_string))).toBe(true);
    }
  });

  it('weighs what the assistant writes fully and the rest lightly', () => {
    const { ids, weights } = episodeSequence({
      renderer,
      messages: editEpisode(sampleSnippet(source(1), createRandom(1)), createRandom(2), { editsAtOnce: 0 }),
      contextWeight: 0.25,
    });
    const full = ids.filter((_, index) => weights[index] === 1);
    expect(tokenizer.decode(full)).toMatch(/^<read>[^<]+<arg>\d+<arg>8<end><edit>.+<arg>\d+\. .+<arg>.*<end>Done\.<end>$/s);
    expect(new Set(weights)).toEqual(new Set([0.25, 1]));
  });

  function argumentsOf(message: ReturnType<typeof editEpisode>[number] | undefined): Record<string, unknown> {
    return message?.role === 'assistant' ? JSON.parse(message.toolCalls[0]?.arguments ?? '{}') : {};
  }
});

describe('the other training sequences', () => {
  it('edit lines that they quote', () => {
    for (let seed = 0; seed < 20; seed++) {
      const text = tokenizer.decode(editDrill({ renderer, source: source(seed), random: createRandom(seed) }).ids);
      const edits = [...text.matchAll(/<tool>Fix (\S+) lines .*?\n(\d+\. .*?)<end><assistant><edit>(.*?)<arg>(.*?)<arg>(.*?)<end>/gs)];
      expect(edits).toHaveLength(3);
      for (const [, named, quoted, path, old, replacement] of edits) {
        expect(path).toBe(named);
        expect(quoted!.startsWith(old!)).toBe(true);
        const before = quoted!.replace(/^\d+\. /, '');
        const after = replacement! + quoted!.slice(old!.length);
        expect(textsOf(before.trim())).toContain(after.trim());
      }
    }
  });

  it('give back the code when the gaps are filled with their answers', () => {
    fc.assert(
      fc.property(fc.nat(1000), (seed) => {
        const random = createRandom(seed);
        const text = tokenizer.decode(denoising({ tokenizer, pickFile: () => file, length: 256, random }).ids);
        const [shown, hidden] = text.slice('<begin>'.length, -'<end>'.length).split('<end>');
        const answers = hidden!.split('<gap>').slice(1);
        expect(CODE).toContain(shown!.replace(/<gap>/g, () => answers.shift() ?? 'missing'));
        expect(answers).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('stay within the length limit in every phase of the training', () => {
    for (const progress of [0, 0.1, 1]) {
      const mix = dataMix(progress);
      expect(Object.values(mix).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      const random = createRandom(8);
      for (let count = 0; count < 40; count++) {
        const { ids, weights } = sampleSequence({ tokenizer, renderer, source: source(count), mix, random });
        expect(ids.length).toBeLessThanOrEqual(SEQUENCE_TOKENS);
        expect(weights).toHaveLength(ids.length);
      }
    }
  });
});

describe('a training batch', () => {
  it('shifts by one and has the gradient of the weighted mean cross entropy', () => {
    const batch = trainingBatch({ sequences: [{ ids: [5, 6, 7], weights: [9, 1, 3] }], contextTokens: 8, random: () => 0 });
    expect(batch.sequences).toEqual([{ inputs: Int32Array.of(5, 6), targets: Int32Array.of(6, 7) }]);
    expect(batch.logprobGradients).toEqual([Float32Array.of(-0.25, -0.75)]);
  });

  it('keeps the mean gradient of light positions while it drops two thirds of them', () => {
    const sequences = [{ ids: new Array(3001).fill(1), weights: [0, ...new Array(3000).fill(0.2)] }];
    const gradient = trainingBatch({ sequences, contextTokens: 3000, random: createRandom(1) }).logprobGradients[0]!;
    expect(gradient.filter((value) => value !== 0).length / 3000).toBeCloseTo(1 / 3, 1);
    expect(-gradient.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 1);
  });
});
