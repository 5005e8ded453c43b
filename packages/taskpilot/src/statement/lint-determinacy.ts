import { squeeze } from '../squeeze.js';
import type { FailingExample } from './example/failing-example.js';

/**
 * Whether a statement determines what is tested, by rule: it names the entry point, and shows one input with what it gives and
 * what it should give. Ambiguity is not difficulty (frognano.md 1.4).
 * @returns what the statement does not say.
 */
export function lintDeterminacy(options: { statement: string; example: FailingExample | undefined }): readonly string[] {
  const { example } = options;
  if (example === undefined) return ['an example'];
  const statement = plain(options.statement);
  const parts = {
    'the entry point': example.entryPoint,
    'the input': example.call,
    'the expected value': example.expected,
    'the observed value': example.observed ?? '',
  };
  return Object.entries(parts).flatMap(([part, text]) => (statement.includes(plain(text)) ? [] : [part]));
}

/** Without the marks of comments and white space, by which a value of several lines is laid out. */
function plain(text: string): string {
  return squeeze(text.replace(/\n\s*(\/\/|#)/g, '\n'));
}
