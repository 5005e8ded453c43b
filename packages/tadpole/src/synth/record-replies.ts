import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole, writing } from '../run/write-whole.js';

/**
 * A `fetch` that keeps what an endpoint answered in a folder, which is made, and answers the same question from it: a program
 * that begins again asks nothing twice. The second question with the same body is a second record. Answers of an error
 * status are passed on and not kept. Of a request only its body's hash is kept, never a header.
 *
 * The result throws TadpoleError `storage` when a record cannot be written, and what the given `fetch` throws.
 */
export function recordReplies(options: {
  folder: string;
  /** @default Node's own */
  fetch?: typeof fetch;
}): typeof fetch {
  const { folder, fetch: send = fetch } = options;
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  const seen = new Map<string, number>();
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const identity = createHash('sha256')
      .update(JSON.stringify([url, String(init?.body ?? '')]))
      .digest('hex');
    const repetition = seen.get(identity) ?? 0;
    const path = join(folder, `${identity.slice(0, 32)}-${repetition}.json`);
    const recorded = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (recorded === undefined) {
      const response = await send(input, init);
      const text = await response.text();
      const { status, headers } = response;
      if (!response.ok || !isJson(text)) return new Response(text, { status, headers: withoutLength(headers) });
      writeWhole({ path, content: text });
    }
    seen.set(identity, repetition + 1);
    return new Response(readFileSync(path, 'utf8'), { headers: { 'content-type': 'application/json' } });
  };
}

/** A page of a proxy is no answer, whatever its status. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** The text is decoded already, and what is said of its bytes would be wrong. */
function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  return kept;
}
