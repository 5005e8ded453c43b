import { type StatementRung, TadpoleError } from '@tadpole/contracts';
import type { Region } from './region-around.js';

/** Rungs of the ladder that have a template here, from least to most information. */
export type TemplateRung = Extract<StatementRung, 'symptom' | 'file' | 'region' | 'line' | 'quoted-line'>;

/** What is known about a bug without knowing its fix. */
export interface StatementFacts {
  readonly file: string;
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
}

/** Longest printed value and longest error message, in characters, the ellipsis included. */
const valueLength = 24;
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
 * Where the test gave no pair of values the symptom is its message, as in
 * ``Fix lib/a.js: TypeError: foo is not a function.`` White space is collapsed, values are cut to 24 and
 * messages to 48 characters with an ellipsis.
 *
 * @throws TadpoleError `invalid-input` when there is neither a pair of values nor a message.
 */
export function writeStatement(options: StatementFacts & { rung: TemplateRung }): string {
  const { rung, file, line, lineText, region, testName } = options;
  const symptom = describeSymptom(options);
  switch (rung) {
    case 'quoted-line':
      return `Fix ${file} lines ${region.start}-${region.end}. Line ${line} is wrong: ${symptom}.\n${line}. ${lineText}`;
    case 'line':
      return `Fix ${file} lines ${region.start}-${region.end}. Line ${line} is wrong: ${symptom}.`;
    case 'region':
      return `Fix ${file} lines ${region.start}-${region.end}: ${symptom}.`;
    case 'file':
      return `Fix ${file}: ${symptom}.`;
    case 'symptom':
      return `Fix the failure of "${collapse(testName)}": ${symptom}.`;
  }
}

function describeSymptom({ expected, observed, error }: StatementFacts): string {
  if (expected !== undefined && observed !== undefined) {
    return `expected ${printed(expected)}, got ${printed(observed)}`;
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

/** An empty text is shown by its quotes. */
function printed(value: string): string {
  return cut(collapse(value), valueLength) || "''";
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Cuts by characters, so that no surrogate pair is split. */
function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
