import { RefusedRequest } from './refused-request.js';

/** Clients' sessions, each with the time of its last sign of life. */
export interface Sessions {
  open(): string;
  /** A sign of life. @throws RefusedRequest 404 */
  beat(id: string): void;
  /** @throws RefusedRequest 404 */
  finish(id: string): void;
  /** Closes and returns those without one for too long. */
  expire(): readonly string[];
}

/** No sessions yet. */
export function createSessions(options: { timeoutMs: number; now: () => number; newId: () => string }): Sessions {
  const { timeoutMs, now, newId } = options;
  const beats = new Map<string, number>();
  const requireOpen = (id: string) => {
    if (!beats.has(id))
      throw new RefusedRequest(404, `Expected a session of this server, got ${JSON.stringify(id.slice(0, 100))}; it may have expired.`);
  };
  return {
    open() {
      const id = newId();
      beats.set(id, now());
      return id;
    },
    beat(id) {
      requireOpen(id);
      beats.set(id, now());
    },
    finish(id) {
      requireOpen(id);
      beats.delete(id);
    },
    expire() {
      const expired = [...beats].filter(([, beat]) => now() - beat > timeoutMs).map(([id]) => id);
      for (const id of expired) beats.delete(id);
      return expired;
    },
  };
}
