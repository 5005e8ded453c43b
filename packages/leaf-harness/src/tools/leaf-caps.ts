import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

/** Sizes and times of the five tools; the defaults are the released Leaf's (frognano.md section 2.2). */
export const leafCapsSchema = z.strictObject({
  /** Characters of what Read returns. */
  readCharacters: z.int().positive().default(20_000),
  /** Characters of both streams of Bash together. */
  bashCharacters: z.int().positive().default(30_000),
  /** Files that Glob lists. */
  globFiles: z.int().positive().default(1000),
  /** Seconds of a Bash command that names no timeout. */
  bashSeconds: z.number().positive().max(1000).default(120),
});
/** Caps with every default filled in. */
export type LeafCaps = z.output<typeof leafCapsSchema>;
/** Caps as a caller gives them: any subset. */
export type LeafCapsInput = z.input<typeof leafCapsSchema>;

/** Fills in the defaults. @throws TadpoleError `invalid-config` for an unknown or ill-typed cap. */
export function parseLeafCaps(caps: LeafCapsInput = {}): LeafCaps {
  const parsed = leafCapsSchema.safeParse(caps);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({ code: 'invalid-config', message: `Leaf caps: ${z.prettifyError(parsed.error)}`, cause: parsed.error });
}
