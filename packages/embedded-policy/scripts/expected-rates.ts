import type { Renderer } from '@tadpole/contracts';
import { opening, repair } from '../src/base/edit-episode.js';
import { episodeSequence } from '../src/base/episode-sequence.js';
import { sampleSymptom } from '../src/base/sample-symptom.js';
import { sampleSnippet, type Snippet, type SnippetSource } from '../src/base/sample-snippet.js';
import type { Engine } from '../src/engine/create-engine.js';
import { specialTokenId } from '../src/tokenizer/special-tokens.js';

/** Probabilities, averaged over held-out tasks, that sampling at temperature 1 does something exactly. */
export interface ExpectedRates {
  /** The Read call of the statement's region, and the Edit call of its file up to the path. */
  readonly format: number;
  /** The old text is exactly one of the lines that an edit may take. */
  readonly copy: number;
  /** The old text is exactly the line that the statement names. */
  readonly rightLine: number;
  /** The whole episode restores the original line. */
  readonly solved: number;
}

interface Probe {
  readonly task: number;
  readonly isNamed: boolean;
  readonly ids: readonly number[];
}

/** Tasks whose statement names the broken line, each once for every line that the edit could take. */
export function ratesProbes(options: { source: SnippetSource; renderer: Renderer; tasks: number; random: () => number }): Probe[] {
  const { source, renderer, tasks, random } = options;
  return Array.from({ length: tasks }, (_, task) => {
    const snippet = sampleSnippet(source, random);
    const symptom = sampleSymptom(random);
    return snippet.editable.map((index): Probe => {
      const isNamed = index === snippet.broken;
      return { task, isNamed, ids: probeIds({ snippet, renderer, symptom, index }) };
    });
  }).flat();
}

function probeIds(options: { snippet: Snippet; renderer: Renderer; symptom: ReturnType<typeof sampleSymptom>; index: number }): readonly number[] {
  const { snippet, renderer, symptom, index } = options;
  const old = snippet.lines[index]!.trim();
  const messages = [...opening(snippet, { named: snippet.broken, symptom }), ...repair(snippet, { old, text: snippet.original }).slice(0, 1)];
  return episodeSequence({ renderer, messages }).ids;
}

/** Teacher-forced, hence exact for these probes: no sampling noise. */
export async function expectedRates({ engine, probes }: { engine: Engine; probes: readonly Probe[] }): Promise<ExpectedRates> {
  const fitting = probes.filter(({ ids }) => ids.length <= engine.config.contextTokens);
  const results = await engine.forward({
    sequences: fitting.map(({ ids }) => ({ inputs: Int32Array.from(ids.slice(0, -1)), targets: Int32Array.from(ids.slice(1)) })),
  });
  const totals = { format: 0, copy: 0, rightLine: 0, solved: 0 };
  fitting.forEach(({ ids, isNamed }, index) => {
    const parts = callProbabilities(ids, results[index]!.logprobs);
    totals.copy += parts.old;
    if (!isNamed) return;
    totals.format += parts.format;
    totals.rightLine += parts.old;
    totals.solved += parts.format * parts.old * parts.text;
  });
  const tasks = new Set(fitting.map(({ task }) => task)).size;
  return { format: totals.format / tasks, copy: totals.copy / tasks, rightLine: totals.rightLine / tasks, solved: totals.solved / tasks };
}

function callProbabilities(ids: readonly number[], logprobs: Float32Array): { format: number; old: number; text: number } {
  const assistant = specialTokenId('assistant');
  const read = ids.indexOf(assistant) + 1;
  const readEnd = ids.indexOf(specialTokenId('end'), read);
  const edit = ids.lastIndexOf(assistant) + 1;
  const firstArgument = ids.indexOf(specialTokenId('arg'), edit);
  const secondArgument = ids.indexOf(specialTokenId('arg'), firstArgument + 1);
  const sum = (from: number, to: number) => logprobs.subarray(from - 1, to).reduce((total, logprob) => total + logprob, 0);
  return {
    format: Math.exp(sum(read, readEnd) + sum(edit, firstArgument)),
    old: Math.exp(sum(firstArgument + 1, secondArgument)),
    text: Math.exp(sum(secondArgument + 1, ids.length - 1)),
  };
}
