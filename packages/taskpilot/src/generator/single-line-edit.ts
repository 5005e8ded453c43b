import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { Replacement } from './mutation-operator.js';

/** A change of one file that a generator is about to propose. */
export interface ProposedEdit {
  readonly file: string;
  /** The file before and after. */
  readonly text: string;
  readonly mutated: string;
  /** In order, without overlap; offsets are those of `text`. */
  readonly replacements: readonly Replacement[];
}

const optionsSchema = z.strictObject({
  lineLength: z
    .tuple([z.int().min(1), z.int().min(1)])
    .readonly()
    .refine(([shortest, longest]) => shortest <= longest, { message: 'expected [shortest, longest]' })
    .default([12, 90]),
  uniqueLines: z.boolean().default(true),
});

/**
 * Makes the rule that an edit must lie in one line, so that replacing the whole trimmed line is an exact and
 * unambiguous edit: the trimmed line has a length inside `lineLength` and occurs once in its file, before the change
 * and after it.
 *
 * @throws TadpoleError `invalid-config` for options of the wrong form.
 */
export function singleLineEdit(
  options: {
    /** Shortest and longest trimmed line, before and after the change, in UTF-16 units. @default [12, 90] */
    lineLength?: readonly [number, number];
    /** Whether the trimmed line must occur once in its file, before and after the change. @default true */
    uniqueLines?: boolean;
  } = {},
): (edit: ProposedEdit) => boolean {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    throw new TadpoleError({ code: 'invalid-config', message: `singleLineEdit: ${z.prettifyError(parsed.error)}` });
  }
  const [shortest, longest] = parsed.data.lineLength;
  const { uniqueLines } = parsed.data;
  return ({ text, mutated, replacements }) => {
    const from = replacements[0]?.start ?? 0;
    const to = replacements.at(-1)?.end ?? 0;
    if (/[\r\n]/.test(text.slice(from, to) + replacements.map((part) => part.text).join(''))) return false;
    const start = text.lastIndexOf('\n', from - 1) + 1;
    const before = lineAt(text, start);
    const after = lineAt(mutated, start);
    return [before, after].every((line) => line.length >= shortest && line.length <= longest) && before !== after && isUnique();

    function isUnique(): boolean {
      return !uniqueLines || (occursOnce(text, before) && occursOnce(mutated, after));
    }
  };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end).trim();
}

function occursOnce(text: string, line: string): boolean {
  const first = text.indexOf(line);
  return first !== -1 && text.indexOf(line, first + 1) === -1;
}
