import { findTestUnits, type TestLiteral, type TestUnit } from './find-literals.js';
import { mapPlainText, nearLiterals, nextLetter, readString } from './mutate-literal.js';
import { applyEdits, type TextEdit } from './text-edits.js';

/** Most variants of one test file. */
const mostVariants = 90;
/** A test that waits, starts programs or counts far is not repeated. */
const slow = /setTimeout|sleep\(|subprocess|spawn|execSync|execFile|performance\.now|perf_counter|range\(\s*\d[\d_]{4,}/;

/**
 * Versions of a test file that ask other questions: in each one literal of a test is changed to one near it, or all
 * numbers or letters of a test in the same way, and only the tests that the change reaches are kept. What they expect is no
 * longer right; the gold says what is.
 */
export function makeVariants(options: {
  path: string;
  text: string;
  /** Words that the product knows, such as the names of its options: another word in their place asks nothing sensible. */
  keywords: ReadonlySet<string>;
}): readonly string[] {
  const { path, text, keywords } = options;
  const all = findTestUnits({ path, text });
  const units = all.filter(({ start, end }) => !slow.test(text.slice(start, end)));
  const queues = units.map((unit) => [...wholeUnit(unit, keywords), ...singleEdits(unit, keywords)].map((edits) => ({ unit, edits })));
  const chosen: { unit: TestUnit; edits: readonly TextEdit[] }[] = [];
  for (let round = 0; chosen.length < mostVariants && queues.some((queue) => round < queue.length); round++) {
    for (const queue of queues) {
      const next = queue[round];
      if (next !== undefined && chosen.length < mostVariants) chosen.push(next);
    }
  }
  return chosen.map(({ unit, edits }) =>
    applyEdits(text, [...edits, ...others({ all, units, unit, isPython: path.endsWith('.py'), text })]),
  );
}

/** Takes away the tests that a change does not reach. */
function others(options: {
  all: readonly TestUnit[];
  units: readonly TestUnit[];
  unit: TestUnit;
  isPython: boolean;
  text: string;
}): readonly TextEdit[] {
  const { all, units, unit, isPython } = options;
  return all
    .filter((other) => other !== unit && other.name !== undefined && (unit.name !== undefined || !units.includes(other)))
    .map(({ start, end }) => ({ start, end, text: isPython ? 'pass' : ';' }));
}

function wholeUnit({ literals }: TestUnit, keywords: ReadonlySet<string>): readonly TextEdit[][] {
  const numbers = literals.filter(({ kind, text }) => kind === 'number' && /^\d{1,9}$/.test(text));
  const strings = literals.filter(({ kind, text }) => kind === 'string' && !isKeyword(text, keywords));
  const digits = strings.map((literal) =>
    changeText(literal, (part) => part.replace(/\d{1,9}/g, (digit) => String(Number(digit) + 1).padStart(digit.length, '0'))),
  );
  const letters = strings.map((literal) => changeText(literal, (part) => part.replace(/[a-z]/gi, nextLetter)));
  const shifted = numbers.map(({ start, end, text }) => ({ start, end, text: String(Number(text) + 1) }));
  const scaled = numbers.map(({ start, end, text }) => ({ start, end, text: String(Number(text) * 3) }));
  return [letters, digits, shifted, scaled].map((edits) => edits.filter((edit) => edit !== undefined)).filter((edits) => edits.length > 1);
}

function changeText(literal: TestLiteral, change: (part: string) => string): TextEdit | undefined {
  const parts = readString(literal.text);
  if (parts === undefined) return undefined;
  const content = mapPlainText(parts.content, change);
  return content === parts.content ? undefined : { start: literal.start, end: literal.end, text: `${parts.open}${content}${parts.close}` };
}

function isKeyword(text: string, keywords: ReadonlySet<string>): boolean {
  return keywords.has(readString(text)?.content ?? '');
}

function singleEdits({ literals }: TestUnit, keywords: ReadonlySet<string>): TextEdit[][] {
  const options = literals.map((literal, index) => {
    const near = nearLiterals({ literal, isKeyword: isKeyword(literal.text, keywords) });
    // Each literal begins with another change, so that a bounded list has every kind.
    const turned = near.map((_, at) => near[(at + index) % near.length] ?? '');
    return turned.map((text) => [{ start: literal.start, end: literal.end, text }]);
  });
  const edits: TextEdit[][] = [];
  for (let round = 0; options.some((list) => round < list.length); round++) {
    for (const list of options) {
      const edit = list[round];
      if (edit !== undefined) edits.push(edit);
    }
  }
  return edits;
}
