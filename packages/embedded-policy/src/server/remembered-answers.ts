import { createHash } from 'node:crypto';
import { RefusedRequest } from './refused-request.js';

/** The futures of requests that clients may send again, by what names such a request. */
export interface RememberedAnswers<Key> {
  /** The future of the same request, sent before; `undefined` for a new one. @throws RefusedRequest 409 for another body */
  recall(options: { key: Key; body: Uint8Array }): string | undefined;
  remember(options: { key: Key; body: Uint8Array; requestId: string }): void;
  /** Lets the request be sent anew. */
  forget(key: Key): void;
}

/** Nothing yet; of more than `most` the oldest is forgotten. `nameOf` says in refusals which request is meant. */
export function createRememberedAnswers<Key>(options: { most: number; nameOf: (key: Key) => string }): RememberedAnswers<Key> {
  const { most, nameOf } = options;
  const answers = new Map<Key, { digest: string; requestId: string }>();
  const digestOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');
  return {
    recall({ key, body }) {
      const known = answers.get(key);
      if (known === undefined) return undefined;
      if (known.digest === digestOf(body)) return known.requestId;
      throw new RefusedRequest(409, `${nameOf(key)} was used before with another body.`);
    },
    remember({ key, body, requestId }) {
      answers.set(key, { digest: digestOf(body), requestId });
      const [oldest] = answers.keys();
      if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    },
    forget: (key) => void answers.delete(key),
  };
}
