import { z } from 'zod';

const sourceMapSchema = z.object({ mappings: z.string() });
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

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
    return decodeMappings(sourceMapSchema.parse(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))).mappings);
  } catch {
    return undefined;
  }
}

/** Decodes `mappings` of a source map of one source (ECMA-426). @throws Error for a character that is no digit of base 64. */
function decodeMappings(mappings: string): readonly MappedPlace[] {
  const places: MappedPlace[] = [];
  let line = 0;
  for (const [generatedLine, segments] of mappings.split(';').entries()) {
    let generatedColumn = 0;
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [column = 0, , lines] = decodeNumbers(segment);
      generatedColumn += column;
      if (lines === undefined) continue;
      line += lines;
      places.push({ generatedLine, generatedColumn, line: line + 1 });
    }
  }
  return places;
}

/** Variable-length numbers: five bits a digit, the lowest first, the sixth says that more follow; the lowest bit is the sign. */
function decodeNumbers(segment: string): readonly number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = digits.indexOf(character);
    if (digit === -1) throw new Error(`expected a digit of base 64, got ${JSON.stringify(character)}`);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
