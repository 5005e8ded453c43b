import type { Snapshot } from '@tadpole/contracts';
import { shuffle } from '../generator/shuffle.js';
import { readSource } from '../read-source.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { estimateTokens, excerptAround } from './excerpt.js';
import { fence } from './fence.js';

/** A source file of a snapshot as text. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** The source files that are UTF-8, by path. @throws TadpoleError `storage` or `aborted`. */
export async function readSources(options: { snapshot: Snapshot; signal?: AbortSignal }): Promise<SourceFile[]> {
  const { snapshot, signal } = options;
  const sources: SourceFile[] = [];
  for (const file of [...snapshot.sourceFiles].sort()) {
    throwIfAborted(signal, 'Proposing candidates');
    const text = await readSource({ directory: snapshot.directory, file });
    if (text !== null) sources.push({ file, text });
  }
  return sources;
}

/** Source files as a prompt shows them: in random order, whole while they fit; where the first does not, lines at a random place. */
export function showSources(options: { sources: readonly SourceFile[]; maxTokens: number; random: () => number }): string {
  const { sources, maxTokens, random } = options;
  const shown: string[] = [];
  let left = maxTokens;
  for (const { file, text } of shuffle(sources, { random })) {
    const part = shown.length === 0 ? excerptSomewhere({ text, maxTokens: left, random }) : text;
    if (part === '' || estimateTokens(part) > left) continue;
    left -= estimateTokens(part);
    shown.push(showFile({ file, text: part }));
  }
  return shown.join('\n\n');
}

/** The whole text where it fits, else as many whole lines as do, around a random one. */
export function excerptSomewhere(options: { text: string; maxTokens: number; random: () => number }): string {
  const { text, maxTokens, random } = options;
  const line = 1 + Math.floor(random() * text.split('\n').length);
  return excerptAround({ text, lines: { start: line, end: line }, maxTokens });
}

/** A file's text as data: its path above a fence. Line ends are shown as `\n`. */
export function showFile({ file, text }: SourceFile): string {
  return `${file}\n${fence(text.replaceAll('\r\n', '\n'))}`;
}
