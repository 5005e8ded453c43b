import { parsePatch } from '../parse-patch.js';
import type { ProbedTask } from './exposure.js';

/** Shorter lines stand in any code. */
const shortest = 16;
/** More patterns make a search slow and find no more. */
const most = 400;

/**
 * Lines of hidden tests and lines that the gold patch adds which stand neither in the base tree nor in the statement, trimmed, so that where one
 * is found the answer was there to read.
 */
export function distinctiveLines(task: ProbedTask): readonly string[] {
  const { files, hiddenTests, goldPatch = '', statement } = task;
  const known = new Set([...files.values(), statement].flatMap((text) => text.split('\n').map((line) => line.trim())));
  const added = parsePatch(goldPatch).flatMap((file) => file.added.map(({ text }) => text));
  const hidden = [...hiddenTests.values()].flatMap((text) => text.split('\n'));
  const lines = [...added, ...hidden].map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line.length >= shortest && !known.has(line) && isTelling(line)).slice(0, most);
}

/** Not an import or a brace: something that only this task's answer says. */
function isTelling(line: string): boolean {
  return !/^(import|from|const \S+ = require|export \{|use strict|#!|\/\/|\/\*|\*|#)/.test(line) && /\w{3}.*\W.*\w{2}/.test(line);
}
