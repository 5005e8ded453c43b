import { squeeze } from '../squeeze.js';
import { referencesIn, withoutCode } from './references.js';
import { type TokenOverlap, tokenOverlap } from './token-overlap.js';

/** Lines shorter than this say nothing about the fix, for instance `return x`. */
const shortestTellingLine = 12;
/** A test's name that is shorter, or a single word, is ordinary English. */
const shortestTellingName = 12;
/** Largest share of the gold patch's words that prose may hold (taskpilot.md section 1, "leaky issue"). */
const largestOverlap = 0.3;

/**
 * Looks for the fix in a statement: a line of the gold patch (compared without white space, 12 characters
 * or longer), the operator's name, the path of a hidden file, and where a `line` is given that line's number. In prose also a
 * hidden test's name, issue and pull-request numbers and commit hashes outside of code, and {@link tokenOverlap} of .3 or
 * more. Not covered: a paraphrase of the fix in other words, or an expected value that happens to be a part of it.
 */
export function lintStatement(options: {
  statement: string;
  /** Lines that the gold patch adds. */
  goldLines: readonly string[];
  /** `null` where no operator made the task. */
  operator: string | null;
  hiddenPaths: readonly string[];
  /** The bug's 1-based line, for statements that must not give it. */
  line?: number;
  /** For statements in prose. @default the three checks of prose are left out */
  prose?: {
    readonly testNames: readonly string[];
    /** Identifiers that the statement must be free to say: those of the public signature. */
    readonly publicNames: readonly string[];
  };
}): { ok: true } | { ok: false; leaks: readonly string[] } {
  const { operator, goldLines, line, prose } = options;
  const statement = squeeze(options.statement);
  const leaks = [
    ...goldLines
      .map(squeeze)
      .filter((gold) => gold.length >= shortestTellingLine && statement.includes(gold))
      .map((gold) => `gold line: ${gold}`),
    ...(operator !== null && statement.includes(squeeze(operator)) ? [`operator: ${operator}`] : []),
    ...options.hiddenPaths.filter((path) => namesPath(options.statement, path)).map((path) => `hidden path: ${path}`),
    ...(line !== undefined && namesLine(withoutCode(options.statement), line) ? [`line: ${line}`] : []),
    ...(prose === undefined ? [] : lintProse({ ...options, ...prose })),
  ];
  return leaks.length === 0 ? { ok: true } : { ok: false, leaks };
}

function lintProse(options: {
  statement: string;
  goldLines: readonly string[];
  operator: string | null;
  testNames: readonly string[];
  publicNames: readonly string[];
}): string[] {
  const { statement, operator, testNames } = options;
  const overlap: TokenOverlap = tokenOverlap(options);
  const own = testNames.map((name) => name.split(/ > |::/).at(-1) ?? name);
  const telling = [...new Set(own)].filter((name) => name.length >= shortestTellingName && /[\s_]/.test(name));
  return [
    ...(operator !== null && spellsOut({ statement, operator }) ? [`operator: ${operator}`] : []),
    ...telling.filter((name) => statement.includes(name)).map((name) => `hidden test: ${name}`),
    ...referencesIn(withoutCode(statement)).map((reference) => `reference: ${reference}`),
    ...(overlap.share >= largestOverlap ? [`words of the gold patch (${overlap.share.toFixed(2)}): ${overlap.shared.join(' ')}`] : []),
  ];
}

/** Whether its words stand in the statement with other separators than its own; with its own the name itself was found. */
function spellsOut({ statement, operator }: { statement: string; operator: string }): boolean {
  const words = operator.split('-');
  const spelled = new RegExp(`\\b${words.map(escaped).join('[\\s_-]+')}\\b`, 'i');
  return words.length > 1 && !squeeze(statement).includes(squeeze(operator)) && spelled.test(statement);
}

/** `line 42`, `lines 42-44`, `L42` and `file.js:42`; the number alone is a value. */
function namesLine(statement: string, line: number): boolean {
  return new RegExp(`(\\blines?\\s+|\\bL|\\.\\w+:)${line}\\b`, 'i').test(statement);
}

/** A folder such as `test` is named only with something below it; the word alone is English. */
function namesPath(statement: string, path: string): boolean {
  const needle = path.includes('/') || path.includes('.') ? path.replace(/\/$/, '') : `${path}/`;
  return new RegExp(`(^|[^\\w./-])(\\./)?${escaped(needle)}`).test(statement);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
