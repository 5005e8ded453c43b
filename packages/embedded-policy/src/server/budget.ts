import { RefusedRequest } from './refused-request.js';

/** A bound on what a server holds at a time. */
export interface Budget {
  /** Takes a part; calling what it returns gives the part back, once. @throws RefusedRequest 429 where no more is left */
  take(bytes: number): () => void;
}

/** Seconds after which a client that was refused may try again. */
const retryAfterSeconds = 1;

/** Nothing taken yet. One part is always given, however large, so that a request within the limit of its own is never shut out. */
export function createBudget(options: { what: string; most: { readonly count: number; readonly bytes: number } }): Budget {
  const { what, most } = options;
  let count = 0;
  let taken = 0;
  return {
    take(bytes) {
      if (count > 0 && (count >= most.count || taken + bytes > most.bytes)) {
        const message = `Expected at most ${most.count} ${what} of ${most.bytes} bytes in all at a time; send the request again later.`;
        throw new RefusedRequest(429, message, { retryAfterSeconds });
      }
      count += 1;
      taken += bytes;
      let isGiven = true;
      return () => {
        if (!isGiven) return;
        isGiven = false;
        count -= 1;
        taken -= bytes;
      };
    },
  };
}
