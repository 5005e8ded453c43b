import { opening } from '../src/base/edit-episode.js';
import { type Snippet, type SnippetSource, sampleSnippet } from '../src/base/sample-snippet.js';
import { sampleSymptom } from '../src/base/sample-symptom.js';
import type { Engine, EngineSampler } from '../src/engine/create-engine.js';
import type { createRenderer } from '../src/renderer/create-renderer.js';

type BaseRenderer = ReturnType<typeof createRenderer>;

/** Shares of held-out tasks, sampled at temperature 1. The edit is sampled behind the right Read, so the rates are apart. */
export interface SampledRates {
  /** The first turn is the Read call of the statement's region. */
  readonly read: number;
  /** The second turn is an Edit call of the right file with an old and a new text. */
  readonly format: number;
  /** Its old text occurs in the window exactly once. */
  readonly copy: number;
  /** … and in the line that the statement names. */
  readonly rightLine: number;
  /** The edit restores the broken line. */
  readonly solved: number;
}

/** A held-out task: a snippet whose statement names its broken line. */
export interface Probe {
  readonly snippet: Snippet;
  readonly symptom: ReturnType<typeof sampleSymptom>;
}

/** Draws probes. */
export function rateProbes(options: { source: SnippetSource; tasks: number; random: () => number }): readonly Probe[] {
  const { source, tasks, random } = options;
  return Array.from({ length: tasks }, () => ({ snippet: sampleSnippet(source, random), symptom: sampleSymptom(random) }));
}

/** Samples every probe once. */
export async function sampledRates(options: { engine: Engine; renderer: BaseRenderer; probes: readonly Probe[] }): Promise<SampledRates> {
  const { engine, renderer, probes } = options;
  const sampler = await engine.createSampler();
  try {
    const results = await Promise.all(probes.map((probe, seed) => sampleProbe({ sampler, renderer, probe, seed })));
    const share = (name: keyof SampledRates) => results.filter((result) => result[name]).length / probes.length;
    return { read: share('read'), format: share('format'), copy: share('copy'), rightLine: share('rightLine'), solved: share('solved') };
  } finally {
    await sampler.dispose();
  }
}

async function sampleProbe(options: {
  sampler: EngineSampler;
  renderer: BaseRenderer;
  probe: Probe;
  seed: number;
}): Promise<Record<keyof SampledRates, boolean>> {
  const { sampler, renderer, probe, seed } = options;
  const { snippet, symptom } = probe;
  const messages = opening(snippet, { named: snippet.broken, isQuoted: true, symptom });
  const turn = async (length: number) => {
    const prompt = Int32Array.from(renderer.render(messages.slice(0, length), []));
    const [sequence] = await sampler.sample({ prompt, maxTokens: 96, stopIds: [...renderer.stopIds], seed });
    return renderer.parse([...(sequence?.ids ?? [])]).toolCalls[0];
  };
  const [read, edit] = await Promise.all([turn(1), turn(3)]);
  const wanted = messages[1];
  const isRead = wanted?.role === 'assistant' && read?.name === 'Read' && read.arguments === wanted.toolCalls[0]?.arguments;
  const input = edit?.name === 'Edit' ? parseEdit(edit.arguments) : undefined;
  const format = input !== undefined && input.file_path === snippet.path;
  const hits =
    input === undefined ? [] : snippet.lines.flatMap((line, index) => Array<number>(line.split(input.old_string).length - 1).fill(index));
  const copy = format && hits.length === 1;
  const rightLine = copy && hits[0] === snippet.broken;
  const repaired = input === undefined ? '' : (snippet.lines[snippet.broken] ?? '').replace(input.old_string, () => input.new_string);
  return { read: isRead, format, copy, rightLine, solved: rightLine && repaired.trim() === snippet.original };
}

function parseEdit(text: string): { file_path: string; old_string: string; new_string: string } | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const { file_path, old_string, new_string } = value;
    if (typeof file_path !== 'string' || typeof old_string !== 'string' || typeof new_string !== 'string' || old_string === '')
      return undefined;
    return { file_path, old_string, new_string };
  } catch {
    return undefined;
  }
}
