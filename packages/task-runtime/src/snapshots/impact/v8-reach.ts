import { z } from 'zod';
import type { LineReach } from './line-reach.js';
import { inlineMapPlaces } from './source-map-lines.js';

const rangeSchema = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() });
const coverageSchema = z.object({
  result: z.array(z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(rangeSchema).min(1) })) })),
});

/**
 * Reads a file of `NODE_V8_COVERAGE`: the lines of the workspace's files with any character in a block that ran. The code
 * of a module outside its functions counts as run by loading it.
 *
 * @param options.textOf the file's text, by relative path; `undefined` for files that are of no interest
 * @param options.scriptOf what ran in the file's place, by URL: a module that vitest wrapped, with its source map. @default its own text ran
 * @returns `undefined` for text that is no coverage, and where the lines of what ran in a file's place are not known.
 */
export function readV8Reach(options: {
  text: string;
  workspace: string;
  textOf: (file: string) => string | undefined;
  scriptOf?: ((url: string) => string | undefined) | undefined;
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
    const script = options.scriptOf?.(url);
    const reach = script === undefined ? linesOf(paint(text, functions), text) : mappedLines(script, functions);
    if (reach === undefined) return undefined;
    const known = found.get(file);
    found.set(file, {
      imported: new Set([...reach.imported, ...(known?.imported ?? [])]),
      executed: new Set([...reach.executed, ...(known?.executed ?? [])]),
      lines: reach.lines,
    });
  }
  return found;
}

const [notRun, runInFunction, runByLoading] = [0, 1, 2] as const;

type Functions = z.infer<typeof coverageSchema>['result'][number]['functions'];

/**
 * How each character ran: the innermost block decides, and blocks are given from the outside in. What reaches from at most
 * `moduleStart` to the end is the module itself.
 */
function paint(text: string, functions: Functions, moduleStart = 0): Uint8Array {
  const painted = new Uint8Array(text.length);
  const blocks = functions.flatMap(({ ranges }) => {
    const [whole] = ranges as [z.infer<typeof rangeSchema>];
    const isModule = whole.startOffset <= moduleStart && whole.endOffset >= text.length;
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

/** What vitest writes before a module's code, all of it in one line. */
const wrapper = /^'use strict';async \([^()]*\)=>\{\{/;

/** Lines of the file, by the source map of the script that ran; `undefined` for a script of another form. */
function mappedLines(script: string, functions: Functions): LineReach | undefined {
  const [head] = wrapper.exec(script) ?? [];
  const places = inlineMapPlaces(script);
  if (head === undefined || places === undefined) return undefined;
  const painted = paint(script, functions, "'use strict';".length);
  const starts = [head.length, ...[...script.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const linesThat = (state: number) =>
    new Set(
      places.flatMap(({ generatedLine, generatedColumn, line }) =>
        painted[(starts[generatedLine] ?? 0) + generatedColumn] === state ? [line] : [],
      ),
    );
  const lines = [...new Set(places.map(({ line }) => line))].sort((one, other) => one - other);
  return { imported: linesThat(runByLoading), executed: linesThat(runInFunction), lines };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
