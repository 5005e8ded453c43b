import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { malformed } from './harbor-manifest.js';

/**
 * Reads records of one form from a file of JSON lines, or of one JSON array, and refuses two of one id.
 *
 * @throws TadpoleError `invalid-input` that names the file, the line or place in the array, and what was expected.
 */
export async function readJsonLines<Schema extends z.ZodType>(options: {
  file: string;
  schema: Schema;
  /** What a record is called in messages. */
  record: string;
  idOf: (record: z.output<Schema>) => string;
}): Promise<readonly z.output<Schema>[]> {
  const { file, schema, idOf } = options;
  const content = await readFile(file, 'utf8').catch((cause: Error) => {
    throw malformed(file, `a readable file, got: ${cause.message}`, cause);
  });
  const text = content.replace(/^\ufeff/, '');
  const seen = new Map<string, string>();
  return entries({ file, text }).map(({ place, value }) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw malformed(place, `${options.record}, got:\n${z.prettifyError(parsed.error)}`, parsed.error);
    const id = idOf(parsed.data);
    const first = seen.get(id);
    if (first !== undefined) throw malformed(place, `${options.record} of another id than ${JSON.stringify(id)}, which stands at ${first}`);
    seen.set(id, place);
    return parsed.data;
  });
}

function entries(options: { file: string; text: string }): readonly { place: string; value: unknown }[] {
  const { file, text } = options;
  if (text.trimStart().startsWith('[')) {
    const values = parsed(text, file);
    return (values as unknown[]).map((value, index) => ({ place: `${file}[${index}]`, value }));
  }
  return text.split('\n').flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    return line.trim() === '' ? [] : [{ place, value: parsed(line, place) }];
  });
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(place, `JSON, got: ${(cause as Error).message}`, cause);
  }
}
