import { type StatementRung, TadpoleError } from '@tadpole/contracts';
import type { AskedLiteral } from './lint-tests.js';
import type { Region } from './region-around.js';
import { type ProseFacts, type ProseRung, proseRungs, writeProse } from './write-prose.js';

/** Rungs of the ladder that have a template here, from least to most information. */
export type TemplateRung = Exclude<StatementRung, 'written'>;

/** What is known about a bug without knowing its fix. */
export interface StatementFacts extends ProseFacts {
  /** 1-based line of the bug in the agent's tree. */
  readonly line: number;
  /** That line's text in the agent's tree, with its indent. */
  readonly lineText: string;
  readonly region: Region;
  /** The first failing test's name. */
  readonly testName: string;
  /** What the first failing assertion expected and saw, as the runner printed it. */
  readonly expected?: string;
  readonly observed?: string;
  /** The first failing test's message, used when it printed no such pair. */
  readonly error?: string;
  /** Where several bugs were put in: a failure of each other one, as its test printed it. */
  readonly further?: readonly Pick<StatementFacts, 'testName' | 'expected' | 'observed' | 'error'>[];
  /** What the fail-to-pass tests assert and the agent's tree does not hold. */
  readonly asked?: readonly AskedLiteral[];
}

/** Longest printed value and longest error message, in characters, the ellipsis included. */
const valueLength = 24;
/** Characters before the first difference of two values that begin alike. */
const contextLength = 8;
const errorLength = 48;

/**
 * Writes a task's instruction. The templates are read by very small policies: their bytes are part of the
 * format and change only with a new one.
 *
 * - `quoted-line`: as `line`, and behind a newline the line as Read shows it: ``42. return a < b;``
 * - `line`: ``Fix lib/a.js lines 39-46. Line 42 is wrong: expected 3, got 4.``
 * - `region`: ``Fix lib/a.js lines 39-46: expected 3, got 4.``
 * - `file`: ``Fix lib/a.js: expected 3, got 4.``
 * - `symptom`: ``Fix the failure of "adds numbers": expected 3, got 4.``
 *
 * Of several bugs, the failure of each other one follows: `` Also: expected 1, got 2.``, in a sentence of its own at the rung
 * `symptom`, and in a last paragraph of prose.
 *
 * Where the test gave no pair of values the symptom is its message, as in
 * ``Fix lib/a.js: TypeError: foo is not a function.`` Line ends become spaces, values are cut to 24 and
 * messages to 48 characters with an ellipsis. The rungs `contract`, `function` and `example` are prose: see `writeProse`.
 *
 * @throws TadpoleError `invalid-input` when there is neither a pair of values nor a message, and for a rung that is not
 * among {@link availableRungs}.
 */
export function writeStatement(options: StatementFacts & { rung: TemplateRung }): string {
  const { rung, file, line, lineText, region, testName, further = [] } = options;
  const others = further.map(describeSymptom);
  if (isProse(rung)) return [writeProse({ ...options, rung }), ...others.map((other) => `Elsewhere: ${other}.`)].join('\n\n');
  const symptom = describeSymptom(options);
  const also = others.map((other) => ` Also: ${other}.`).join('');
  switch (rung) {
    case 'quoted-line':
      return `Fix ${file} lines ${region.start}-${region.end}. Line ${line} is wrong: ${symptom}.${also}\n${line}. ${lineText}`;
    case 'line':
      return `Fix ${file} lines ${region.start}-${region.end}. Line ${line} is wrong: ${symptom}.${also}`;
    case 'region':
      return `Fix ${file} lines ${region.start}-${region.end}: ${symptom}.${also}`;
    case 'file':
      return `Fix ${file}: ${symptom}.${also}`;
    case 'symptom':
      return [`Fix the failure of "${collapse(testName)}": ${symptom}.`]
        .concat(further.map((other, index) => `Fix the failure of "${collapse(other.testName)}": ${others[index]}.`))
        .join(' ');
  }
}

/** True for a rung that is written in prose, with an example that was run. */
export function isProse(rung: StatementRung): rung is ProseRung {
  return rung === 'contract' || rung === 'function' || rung === 'example';
}

/** The rungs that can be written from these facts, from least to most information (see the contracts' `statementRungSchema`). */
export function availableRungs(facts: StatementFacts): readonly TemplateRung[] {
  const { expected, observed, error = '' } = facts;
  const hasSymptom = (expected !== undefined && observed !== undefined) || error.trim() !== '';
  const prose: readonly TemplateRung[] = proseRungs(facts);
  const always: readonly TemplateRung[] = hasSymptom ? ['symptom', 'file', 'region', 'line', 'quoted-line'] : [];
  return ladder.filter((rung) => always.includes(rung) || prose.includes(rung));
}

const ladder: readonly TemplateRung[] = ['symptom', 'contract', 'file', 'function', 'example', 'region', 'line', 'quoted-line'];

function describeSymptom({ expected, observed, error }: Pick<StatementFacts, 'expected' | 'observed' | 'error'>): string {
  if (expected !== undefined && observed !== undefined) {
    const shown = printedApart(expected, observed);
    return `expected ${shown.expected}, got ${shown.observed}`;
  }
  const message = cut(collapse(error ?? ''), errorLength).replace(/\.+$/, '');
  if (message === '') {
    throw new TadpoleError({
      code: 'invalid-input',
      message: 'writeStatement: expected `expected` and `observed`, or `error`; the failing test gave none, so nothing true can be said.',
    });
  }
  return message;
}

/** Both values, cut; from shortly before the first difference where they begin alike for longer than is shown. */
function printedApart(expected: string, observed: string): { expected: string; observed: string } {
  const [left, right] = [inOneLine(expected), inOneLine(observed)];
  const shown = { expected: cut(left, valueLength), observed: cut(right, valueLength) };
  if (shown.expected !== shown.observed || left === right) return { expected: shown.expected || "''", observed: shown.observed || "''" };
  const [ours, theirs] = [[...left], [...right]];
  const start = Math.max(0, ours.findIndex((character, index) => character !== theirs[index]) - contextLength);
  const part = (characters: string[]) => cut(`…${characters.slice(start).join('')}`, valueLength);
  return { expected: part(ours), observed: part(theirs) };
}

/** Line ends and what indents the lines become one space each; other spaces are part of the value. */
function inOneLine(text: string): string {
  return text.replace(/\s*[\n\r\t]\s*/g, ' ').trim();
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Cuts by characters, so that no surrogate pair is split. */
function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
