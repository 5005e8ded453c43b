import type { Renderer } from '@tadpole/contracts';
import { editMessage, opening } from '../src/base/edit-episode.js';
import { episodeSequence } from '../src/base/episode-sequence.js';
import { sampleSymptom } from '../src/base/sample-symptom.js';
import { sampleSnippet, type Snippet, type SnippetSource } from '../src/base/sample-snippet.js';
import type { Engine } from '../src/engine/create-engine.js';
import { specialTokenId } from '../src/tokenizer/special-tokens.js';

/** Probabilities, averaged over held-out tasks, that sampling at temperature 1 does something exactly. */
export interface ExpectedRates {
  /** The Read call of the statement's region, and the Edit call of its file up to the path, once a line is said. */
  readonly format: number;
  /** The old text is exactly the line whose number the policy said, whichever it said. */
  readonly copy: number;
  /** The policy says the line that the statement names and copies it exactly. */
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
  const messages = [...opening(snippet, { named: snippet.broken, symptom }), editMessage(snippet, { edited: index, text: snippet.original })];
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
    totals.copy += parts.old / fitting.length;
    if (!isNamed) return;
    totals.format += parts.read * parts.path;
    totals.rightLine += parts.line * parts.old;
    totals.solved += parts.read * parts.line * parts.path * parts.old * parts.text;
  });
  const tasks = new Set(fitting.map(({ task }) => task)).size;
  return { format: totals.format / tasks, copy: totals.copy, rightLine: totals.rightLine / tasks, solved: totals.solved / tasks };
}

/** Probability of each part of an episode that ends with the edit: the Read call, the line said, path, old text, new text. */
function callProbabilities(ids: readonly number[], logprobs: Float32Array) {
  const [assistant, end, edit, argument] = (['assistant', 'end', 'edit', 'arg'] as const).map(specialTokenId) as [number, number, number, number];
  const read = ids.indexOf(assistant) + 1;
  const readEnd = ids.indexOf(end, read);
  const line = ids.lastIndexOf(assistant) + 1;
  const call = ids.indexOf(edit, line);
  const first = ids.indexOf(argument, call);
  const second = ids.indexOf(argument, first + 1);
  /** Of the tokens from `from` to `to`, both included. */
  const probability = (from: number, to: number) => Math.exp(logprobs.subarray(from - 1, to).reduce((total, logprob) => total + logprob, 0));
  return {
    read: probability(read, readEnd),
    line: probability(line, call - 1),
    path: probability(call, first),
    old: probability(first + 1, second),
    text: probability(second + 1, ids.length - 1),
  };
}
