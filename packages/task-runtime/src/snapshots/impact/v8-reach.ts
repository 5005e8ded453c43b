import { z } from 'zod';
import type { LineReach } from './line-reach.js';

const rangeSchema = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() });
const coverageSchema = z.object({
  result: z.array(z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(rangeSchema).min(1) })) })),
});

/**
 * Reads a file of `NODE_V8_COVERAGE`: the lines of the workspace's files with any character in a block that ran. The code
 * of a module outside its functions counts as run by loading it.
 *
 * @param options.textOf the text that ran, by relative path; `undefined` for files that are of no interest
 * @returns `undefined` for text that is no coverage.
 */
export function readV8Reach(options: {
  text: string;
  workspace: string;
  textOf: (file: string) => string | undefined;
}): ReadonlyMap<string, LineReach> | undefined {
  const parsed = coverageSchema.safeParse(parseJson(options.text));
  if (!parsed.success) return undefined;
  const found = new Map<string, LineReach>();
  const prefix = `file://${options.workspace}/`;
  for (const { url, functions } of parsed.data.result) {
    if (!url.startsWith(prefix)) continue;
    const file = decodeURIComponent(url.slice(prefix.length).split(/[?#]/)[0] as string);
    const text = options.textOf(file);
    if (text === undefined) continue;
    const reach = linesOf(paint(text, functions), text);
    const known = found.get(file);
    found.set(file, {
      imported: new Set([...reach.imported, ...(known?.imported ?? [])]),
      executed: new Set([...reach.executed, ...(known?.executed ?? [])]),
    });
  }
  return found;
}

const [notRun, runInFunction, runByLoading] = [0, 1, 2] as const;

/** How each character ran: the innermost block decides, and blocks are given from the outside in. */
function paint(text: string, functions: z.infer<typeof coverageSchema>['result'][number]['functions']): Uint8Array {
  const painted = new Uint8Array(text.length);
  const blocks = functions.flatMap(({ ranges }) => {
    const [whole] = ranges as [z.infer<typeof rangeSchema>];
    const isModule = whole.startOffset === 0 && whole.endOffset >= text.length;
    return ranges.map((range) => ({ ...range, isModule }));
  });
  blocks.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count, isModule } of blocks)
    painted.fill(count === 0 ? notRun : isModule ? runByLoading : runInFunction, startOffset, endOffset);
  return painted;
}

function linesOf(painted: Uint8Array, text: string): LineReach {
  const imported = new Set<number>();
  const executed = new Set<number>();
  let line = 1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === '\n') line += 1;
    else if (painted[index] === runByLoading && /\S/.test(character)) imported.add(line);
    else if (painted[index] === runInFunction && /\S/.test(character)) executed.add(line);
  }
  return { imported, executed };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
