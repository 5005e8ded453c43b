import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { type CallRecord, callsOf } from './calls.js';
import { goldFilesOf } from './changed-files.js';
import { oncePerSubject } from './once-per-subject.js';

/** Lines or literals of the answer that a policy saw before it had written them. */
export interface Leak {
  readonly of: 'gold' | 'hidden tests';
  readonly call: CallRecord;
  /** Distinctive lines and literals that the observation showed for the first time. */
  readonly texts: readonly string[];
  /** Of these, how many the final patch adds. */
  readonly inPatch: number;
  /** Share of all distinctive lines and literals. */
  readonly share: number;
  readonly evidence: Evidence;
}

interface Distinctive {
  readonly of: Leak['of'];
  readonly lines: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
}

/** Observations are looked at so far; a dump of more is cut. */
const longestObservation = 200_000;
const mostTexts = 4000;

/**
 * Observations that show parts of the gold or of the hidden tests which stand in neither the issue nor the base tree, and which the
 * policy had not written before. Few lines alone prove nothing: two solvers may write the same line.
 */
export const leaksOf: (subject: AuditSubject) => readonly Leak[] = oncePerSubject((subject) => {
  const wanted = [distinctiveGold(subject), distinctiveTests(subject)];
  const added = new Set(
    subject.patch
      .split('\n')
      .filter((line) => line.startsWith('+'))
      .map((line) => normalise(line.slice(1))),
  );
  const patchText = subject.patch;
  const written: string[] = [];
  const leaks: Leak[] = [];
  const seen = new Set<string>();
  for (const call of callsOf(subject)) {
    for (const { value } of call.arguments.values()) written.push(normalise(value));
    const shown = readLines(call.observation);
    for (const { of, lines, literals } of wanted) {
      const isNew = (text: string) => !seen.has(text) && !written.some((own) => own.includes(text));
      const texts = [...lines].filter((line) => shown.has(line) && isNew(line));
      const found = [...literals].filter((literal) => call.observation.includes(literal) && isNew(literal));
      for (const text of [...texts, ...found]) seen.add(text);
      const all = [...texts, ...found];
      if (all.length === 0) continue;
      const inPatch = texts.filter((line) => added.has(line)).length + found.filter((literal) => patchText.includes(literal)).length;
      leaks.push({ of, call, texts: all, inPatch, share: all.length / Math.max(1, lines.size + literals.size), evidence: citeShown(call, all) });
    }
  }
  return leaks;
});

function distinctiveGold(subject: AuditSubject): Distinctive {
  const known = knownLines(subject);
  const lines = goldFilesOf(subject).flatMap(({ patchFile }) => patchFile.added.map(({ text }) => normalise(text)));
  return { of: 'gold', lines: new Set(lines.filter((line) => isDistinctive(line, known)).slice(0, mostTexts)), literals: new Set() };
}

function distinctiveTests(subject: AuditSubject): Distinctive {
  const known = knownLines(subject);
  const base = [subject.task.statement, ...subject.task.files.values()];
  const texts = [...subject.task.hiddenTests.values()];
  const lines = texts.flatMap((text) => text.split('\n').map(normalise)).filter((line) => isDistinctive(line, known));
  const literals = texts
    .flatMap((text) => [...text.matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.){6,200})\1/g)].map(([, , literal]) => literal ?? ''))
    .filter((literal) => /\w\W*\w\W*\w/.test(literal) && !base.some((text) => text.includes(literal)));
  return { of: 'hidden tests', lines: new Set(lines.slice(0, mostTexts)), literals: new Set(literals.slice(0, 500)) };
}

function knownLines({ task }: AuditSubject): ReadonlySet<string> {
  return new Set([task.statement, ...task.files.values()].flatMap((text) => text.split('\n').map(normalise)));
}

function isDistinctive(line: string, known: ReadonlySet<string>): boolean {
  return line.length >= 14 && /[A-Za-z]{2}/.test(line) && !known.has(line) && !/^(import|from|export \{|#|\/\/|\/?\*|"""|return \w+;?$|else|try|finally)/.test(line);
}

/** Lines of an observation, without numbers, signs of a diff or the escapes of JSON in front of them. */
function readLines(observation: string): ReadonlySet<string> {
  const text = observation.slice(0, longestObservation);
  const lines = new Set<string>();
  const add = (line: string) => {
    const bare = normalise(line);
    lines.add(bare);
    lines.add(normalise(bare.replace(/^\s*(?:[\w./-]{1,200}:)?\d{1,6}[.:\t|-]?\s?/, '')));
    lines.add(normalise(bare.replace(/^(?:[+-]|\d+\s*[+|-])\s*/, '')));
    const colon = /^[\w./-]{1,200}[:-](?:\d+[:-])?/.exec(bare);
    if (colon) lines.add(normalise(bare.slice(colon[0].length).replace(/^[+-]\s?/, '')));
  };
  for (const line of text.split('\n')) add(line);
  if (text.includes('\\n')) {
    for (const line of text.replace(/\\"/g, '"').replace(/\\t/g, ' ').replace(/\\\\/g, '\\').split(/\\n|\n/)) add(line);
  }
  return lines;
}

function normalise(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

function citeShown(call: CallRecord, texts: readonly string[]): Evidence {
  for (const text of texts) {
    const at = call.observation.indexOf(text);
    if (at >= 0) return call.citeObservation(at, at + text.length);
  }
  return call.citeObservation(0, Math.min(call.observation.length, 200));
}
