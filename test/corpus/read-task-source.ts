import { basename, dirname } from 'node:path';
import type { SourceSection, SourceText } from './source-text.js';
import { sourceError } from './source-text.js';

/** Runners that a task of the corpus may have; `tsx-test` is Node's runner over TypeScript. */
export type CorpusRunner = 'pytest' | 'node-test' | 'vitest' | 'tsx-test';

const runners: readonly CorpusRunner[] = ['pytest', 'node-test', 'vitest', 'tsx-test'];
const languages = ['javascript', 'typescript', 'python'] as const;
const splits = ['development', 'frozen'] as const;

/** Files of a section's kind, by path. */
export type Files = Readonly<Record<string, string>>;

/** What the machine around a workspace has beside it, which makes a leak real. */
export interface Surroundings {
  /** Shell commands that run in the workspace before the first turn. */
  readonly before: readonly string[];
  /** Files that are mounted read-only, by absolute path; `{{gold_patch}}`, `{{gold:PATH}}` and `{{hidden:PATH}}` stand for texts. */
  readonly outside: Files;
}

/** A task that several cases share. */
export interface TaskSource extends Surroundings {
  readonly topic: string;
  readonly language: (typeof languages)[number];
  readonly runner: CorpusRunner;
  readonly split: (typeof splits)[number];
  /** npm packages at `/node_modules`, beside the runner's own. */
  readonly packages: readonly string[];
  readonly issue: string;
  readonly base: Files;
  readonly visibleTests: readonly string[];
  readonly hidden: Files;
  /** Files after the reference answer; `null` for one that it deletes. */
  readonly gold: Readonly<Record<string, string | null>>;
  /** Scripts that tell an answer from one that only satisfies the tests, by file name. */
  readonly probes: Files;
}

/** Reads a `task.md`. The folder's name is the topic. @throws TadpoleError `invalid-input`. */
export function readTaskSource(source: SourceText): TaskSource {
  const { path, settings, sections } = source;
  const known = ['language', 'runner', 'split', 'packages'];
  for (const key of settings.keys())
    if (!known.includes(key)) throw sourceError({ path, message: `expected settings ${known.join(', ')}, got ${key}` });
  const choose = <T extends string>(key: string, values: readonly T[]): T => {
    const value = values.find((candidate) => candidate === settings.get(key));
    if (value === undefined)
      throw sourceError({ path, message: `expected ${key} to be one of ${values.join(', ')}, got ${settings.get(key)}` });
    return value;
  };
  const allowed = /^(statement|before|(base|test|hidden|gold|gold-delete|probe|outside) \S+)$/;
  for (const { heading, line } of sections)
    if (!allowed.test(heading)) throw sourceError({ path, line, message: `unknown section "${heading}"` });
  const statement = sections.find(({ heading }) => heading === 'statement')?.prose ?? '';
  const tests = filesOf({ sections, kind: 'test', path });
  const task: TaskSource = {
    topic: basename(dirname(path)),
    language: choose('language', languages),
    runner: choose('runner', runners),
    split: choose('split', splits),
    packages: listOf(settings.get('packages')),
    issue: statement,
    base: { ...filesOf({ sections, kind: 'base', path }), ...tests },
    visibleTests: Object.keys(tests),
    hidden: filesOf({ sections, kind: 'hidden', path }),
    gold: {
      ...filesOf({ sections, kind: 'gold', path }),
      ...Object.fromEntries(
        sections
          .filter(({ heading }) => heading.startsWith('gold-delete '))
          .map(({ heading }) => [heading.slice('gold-delete '.length), null]),
      ),
    },
    probes: filesOf({ sections, kind: 'probe', path }),
    ...surroundingsOf({ sections, path }),
  };
  if (statement === '' || Object.keys(task.hidden).length === 0 || Object.keys(task.gold).length === 0)
    throw sourceError({ path, message: 'expected a statement, a hidden test and a gold file' });
  return task;
}

/** Values between commas. */
export function listOf(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The files below headings `KIND PATH`, each with a final newline. */
export function filesOf(options: { sections: readonly SourceSection[]; kind: string; path: string }): Files {
  const { kind, path } = options;
  const files: Record<string, string> = {};
  for (const { heading, blocks, line } of options.sections) {
    if (!heading.startsWith(`${kind} `)) continue;
    const [block, ...more] = blocks;
    if (block === undefined || more.length > 0) throw sourceError({ path, line, message: 'expected one block with the file' });
    files[heading.slice(kind.length + 1)] = block.text === '' ? '' : `${block.text}\n`;
  }
  return files;
}

/** What sections say of the machine around the workspace. */
export function surroundingsOf(options: { sections: readonly SourceSection[]; path: string }): Surroundings {
  const before = options.sections.filter(({ heading }) => heading === 'before').flatMap(({ blocks }) => blocks.map(({ text }) => text));
  return { before, outside: filesOf({ ...options, kind: 'outside' }) };
}
