import { TadpoleError } from '@tadpole/contracts';

/** A fenced block: what follows the fence's opening, and its lines. */
export interface SourceBlock {
  readonly info: string;
  /** Without a final newline. */
  readonly text: string;
}

/** A heading with what stands below it up to the next heading. */
export interface SourceSection {
  /** 1 for `#`, 2 for `##`. */
  readonly level: number;
  readonly heading: string;
  /** Text outside of fences, trimmed. */
  readonly prose: string;
  readonly blocks: readonly SourceBlock[];
  /** 1-based line of the heading. */
  readonly line: number;
}

/** A source file: `key: value` lines between two lines of `---`, then sections. */
export interface SourceText {
  readonly path: string;
  readonly settings: ReadonlyMap<string, string>;
  readonly sections: readonly SourceSection[];
}

/** An error of a source file. */
export function sourceError(options: { path: string; line?: number; message: string }): TadpoleError {
  const place = options.line === undefined ? options.path : `${options.path}:${options.line}`;
  return new TadpoleError({ code: 'invalid-input', message: `${place}: ${options.message}` });
}

/** Reads the Markdown form of tasks and cases. @throws TadpoleError `invalid-input` that names the line. */
export function parseSourceText(options: { path: string; text: string }): SourceText {
  const { path } = options;
  const lines = options.text.split('\n');
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end < 0) throw sourceError({ path, line: 1, message: 'expected settings between two lines of ---' });
  return { path, settings: parseSettings({ path, lines: lines.slice(1, end) }), sections: parseSections({ path, lines, from: end + 1 }) };
}

function parseSettings(options: { path: string; lines: readonly string[] }): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  options.lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const match = /^([a-z-]+):\s*(.*)$/.exec(line);
    const problem =
      match === null ? `expected "key: value", got ${line}` : settings.has(match[1]!) ? `${match[1]} is set twice` : undefined;
    if (problem !== undefined) throw sourceError({ path: options.path, line: index + 2, message: problem });
    settings.set(match![1]!, match![2]!.trim());
  });
  return settings;
}

function parseSections(options: { path: string; lines: readonly string[]; from: number }): readonly SourceSection[] {
  const { path, lines } = options;
  const sections: { level: number; heading: string; prose: string[]; blocks: SourceBlock[]; line: number }[] = [];
  for (let index = options.from; index < lines.length; index++) {
    const line = lines[index]!;
    const heading = /^(##?) (.*)$/.exec(line);
    if (heading !== null) {
      sections.push({ level: heading[1]!.length, heading: heading[2]!.trim(), prose: [], blocks: [], line: index + 1 });
      continue;
    }
    const section = sections.at(-1);
    if (section === undefined) {
      if (line.trim() !== '') throw sourceError({ path, line: index + 1, message: 'expected a heading first' });
      continue;
    }
    const fence = /^(`{3,})(.*)$/.exec(line);
    if (fence === null) {
      section.prose.push(line);
      continue;
    }
    const close = lines.indexOf(fence[1]!, index + 1);
    if (close < 0) throw sourceError({ path, line: index + 1, message: `expected a line of ${fence[1]} that ends this block` });
    section.blocks.push({ info: fence[2]!.trim(), text: lines.slice(index + 1, close).join('\n') });
    index = close;
  }
  return sections.map(({ prose, ...section }) => ({ ...section, prose: prose.join('\n').trim() }));
}
