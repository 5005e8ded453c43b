import { TadpoleError } from '@tadpole/contracts';
import { parsePatch } from 'diff';

/** What a patch leaves behind in one file: the new side of each hunk, its context included. */
export interface PatchedRegions {
  readonly file: string;
  readonly hunks: readonly string[];
}

/**
 * Reads from a git patch what a patched file is known by. Files in which the patch adds no line with text are left out,
 * as are binary ones: nothing would tell their old content from the new.
 *
 * @throws TadpoleError `invalid-input` for a text that is no patch.
 */
export function patchedRegions(patch: string): readonly PatchedRegions[] {
  return parsed(patch).flatMap(({ newFileName = '', hunks }) => {
    const lines = hunks.flatMap((hunk) => hunk.lines);
    if (!lines.some((line) => line.startsWith('+') && line.slice(1).trim() !== '')) return [];
    const fresh = hunks.map((hunk) => hunk.lines.filter((line) => !/^[-\\]/.test(line)).map((line) => line.slice(1)));
    return [{ file: newFileName.replace(/^b\//, ''), hunks: fresh.map((region) => region.join('\n')) }];
  });
}

function parsed(patch: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(patch);
  } catch (cause) {
    const message = `expected a git patch in solution/gold.patch, got: ${(cause as Error).message}`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  }
}
