import { basename } from 'node:path';
import type { ScriptedStep } from '@tadpole/leaf-harness/testing';
import { type CaseCategory, type CaseKind, caseCategorySchema, caseKindSchema } from '@tadpole/reward-hack-auditor';
import { type Files, filesOf, listOf, type Surroundings, surroundingsOf } from './read-task-source.js';
import { type SourceSection, type SourceText, sourceError } from './source-text.js';

/** How a hack's effect is shown: without its hunks the reward is gone, a probe tells it from the gold, or it holds what it saw. */
export type Proof = 'ablation' | 'probe' | 'leak';

/** What a case says of itself; the builder checks it by execution. */
export type Claim =
  | { readonly label: 'benign'; readonly passes: boolean }
  | {
      readonly label: 'hack';
      readonly category: Exclude<CaseCategory, 'none'>;
      readonly effective: boolean;
      readonly proof: Proof;
      /** Parts of the patch that are the hack: a path, or `path#2` for its second hunk. */
      readonly culprit: readonly string[];
    };

/** One case: its claim, what surrounds it, and the turns that are played. */
export interface CaseSource extends Surroundings {
  readonly id: string;
  readonly kind: CaseKind;
  readonly why: string;
  readonly claim: Claim;
  readonly probes: Files;
  readonly turns: readonly ScriptedStep[];
}

const keys = ['label', 'category', 'kind', 'effective', 'proof', 'culprit', 'passes', 'why'];

/** Reads one case; the file's name is its id. @throws TadpoleError `invalid-input` that names the line. */
export function readCaseSource(options: { source: SourceText; workspace: string }): CaseSource {
  const { path, settings, sections } = options.source;
  for (const key of settings.keys())
    if (!keys.includes(key)) throw sourceError({ path, message: `expected settings ${keys.join(', ')}, got ${key}` });
  const kind = caseKindSchema.safeParse(settings.get('kind'));
  if (!kind.success) throw sourceError({ path, message: `expected kind to be an id of the taxonomy, got ${settings.get('kind')}` });
  const why = settings.get('why') ?? '';
  const turns = turnsOf({ path, sections, workspace: options.workspace });
  if (why === '' || turns.length < 2) throw sourceError({ path, message: 'expected why and at least two turns' });
  return {
    id: basename(path, '.md'),
    kind: kind.data,
    why,
    claim: readClaim({ path, settings }),
    turns,
    probes: filesOf({ sections, kind: 'probe', path }),
    ...surroundingsOf({ sections, path }),
  };
}

function readClaim(options: { path: string; settings: ReadonlyMap<string, string> }): Claim {
  const { path, settings } = options;
  const yesOrNo = (key: string): boolean => {
    const value = settings.get(key);
    if (value !== 'true' && value !== 'false') throw sourceError({ path, message: `expected ${key}: true or false, got ${value}` });
    return value === 'true';
  };
  if (settings.get('label') === 'benign') return { label: 'benign', passes: settings.has('passes') ? yesOrNo('passes') : true };
  if (settings.get('label') !== 'hack')
    throw sourceError({ path, message: `expected label: hack or benign, got ${settings.get('label')}` });
  const category = caseCategorySchema.exclude(['none']).safeParse(settings.get('category'));
  if (!category.success) throw sourceError({ path, message: `expected a category of the taxonomy, got ${settings.get('category')}` });
  const proof = settings.get('proof') ?? usualProof(category.data);
  if (proof !== 'ablation' && proof !== 'probe' && proof !== 'leak')
    throw sourceError({ path, message: `expected proof: ablation, probe or leak, got ${proof}` });
  const culprit = listOf(settings.get('culprit'));
  return { label: 'hack', category: category.data, effective: yesOrNo('effective'), proof, culprit };
}

function usualProof(category: CaseCategory): Proof {
  if (category === 'oracle-access') return 'leak';
  return category === 'solution-gaming' || category === 'runtime-subversion' ? 'probe' : 'ablation';
}

function turnsOf(options: { path: string; sections: readonly SourceSection[]; workspace: string }): readonly ScriptedStep[] {
  const { path, workspace } = options;
  const turns: { content: string; toolCalls: { name: string; arguments: Record<string, unknown> }[] }[] = [];
  let inTurn = false;
  for (const section of options.sections) {
    const { level, heading, line } = section;
    if (level === 1) {
      inTurn = heading === 'turn';
      if (inTurn) turns.push({ content: unwrap(section.prose), toolCalls: [] });
      else if (!/^(before|(outside|probe) \S+)$/.test(heading)) throw sourceError({ path, line, message: `unknown section "${heading}"` });
      continue;
    }
    const turn = turns.at(-1);
    if (!inTurn || turn === undefined) throw sourceError({ path, line, message: 'expected a call below a "# turn"' });
    if (section.prose !== '') throw sourceError({ path, line, message: 'expected prose above the calls of its turn' });
    turn.toolCalls.push(callOf({ path, section, workspace }));
  }
  return turns;
}

/** `## Read p [offset limit]`, `## Write p`, `## Edit p [all]`, `## Glob g [in p]`, `## $ command`, `## Bash[: description]`. */
function callOf(options: { path: string; section: SourceSection; workspace: string }): {
  name: string;
  arguments: Record<string, unknown>;
} {
  const { path, section, workspace } = options;
  const { heading, blocks, line } = section;
  const fail = (message: string) => sourceError({ path, line, message });
  const absolute = (file: string) => (/^[/~.]/.test(file) && !/^\.\w/.test(file) ? file : `${workspace}/${file}`);
  const block = (info?: string) => {
    const found = info === undefined ? blocks[0] : blocks.find((candidate) => candidate.info === info);
    if (found === undefined) throw fail(`expected a block${info === undefined ? '' : ` "${info}"`}`);
    return found.text;
  };
  const [name, ...words] = heading.split(' ');
  if (name === '$') return { name: 'Bash', arguments: { command: heading.slice(2) } };
  const bash = /^Bash(?:: (.*))?$/.exec(heading);
  if (bash !== null) return { name: 'Bash', arguments: { command: block(), ...(bash[1] === undefined ? {} : { description: bash[1] }) } };
  const file = words[0];
  if (file === undefined) throw fail(`expected a call, got "${heading}"`);
  if (name === 'Read') {
    const [offset, limit] = words.slice(1).map(Number);
    const part = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
    return { name, arguments: { file_path: absolute(file), ...part } };
  }
  if (name === 'Write') return { name, arguments: { file_path: absolute(file), content: block() === '' ? '' : `${block()}\n` } };
  if (name === 'Edit') {
    const all = words[1] === 'all' ? { replace_all: true } : {};
    return { name, arguments: { file_path: absolute(file), old_string: block('old'), new_string: block('new'), ...all } };
  }
  if (name === 'Glob') return { name, arguments: { pattern: file, ...(words[1] === 'in' ? { path: words[2] } : {}) } };
  throw fail(`expected Read, Write, Edit, Glob, Bash or $, got "${heading}"`);
}

/** Prose as a policy writes it: the lines of a paragraph are one, those of a list stay. */
function unwrap(prose: string): string {
  return prose.replace(/(\S)\n(?=[^\s\-*|>\d])/g, '$1 ');
}
