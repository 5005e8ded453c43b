import { decode } from '@jridgewell/sourcemap-codec';
import { z } from 'zod';

/** A module of types alone has no mappings. */
const sourceMapSchema = z.object({ mappings: z.string().regex(/^[A-Za-z0-9+/,;]*$/) });

/** Where a piece of generated code came from. */
interface MappedPlace {
  /** 0-based line and UTF-16 column of the generated code. */
  readonly generatedLine: number;
  readonly generatedColumn: number;
  /** 1-based line of the only source. */
  readonly line: number;
}

/** The places of a source map that stands at the end of generated code as a `data:` URL; `undefined` when there is none that can be read. */
export function inlineMapPlaces(code: string): readonly MappedPlace[] | undefined {
  const encoded = [...code.matchAll(/^\/\/# sourceMappingURL=data:application\/json;[^,\n]*base64,([\w+/=]+)/gm)].at(-1)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const { mappings } = sourceMapSchema.parse(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')));
    return decode(mappings).flatMap((segments, generatedLine) =>
      segments.flatMap(([generatedColumn, , line]) => (line === undefined ? [] : [{ generatedLine, generatedColumn, line: line + 1 }])),
    );
  } catch {
    return undefined;
  }
}
