/** Brings the requests of one model into the order of their numbers, which begin at 1, however they arrive. */
export interface RequestOrder {
  /** Whether a request of this number would begin at once. */
  isNext(seqId: number): boolean;
  /** Whether it is the one that others wait for. */
  fillsGap(seqId: number): boolean;
  /**
   * Calls `begin` once every lower number has begun or was passed over, at once where none is missing. Calls `miss` with the lowest missing
   * number when it does not come in time; the request may be sent again then.
   */
  take(options: { seqId: number; begin: () => void; miss: (missing: number) => void }): void;
  /** Nothing waits for this number any more: its request was refused. */
  passOver(seqId: number): void;
  /** Gives up what waits. */
  close(): void;
}

/** Numbers passed over ahead of their turn that are kept in mind. */
const rememberedNumbers = 4_096;

/** An order in which a gap is waited for `gapMs`, anew after each number that fills one. */
export function createRequestOrder({ gapMs }: { gapMs: number }): RequestOrder {
  const waiting = new Map<number, { begin: () => void; miss: (missing: number) => void }>();
  const passed = new Set<number>();
  let next = 1;
  let timer: NodeJS.Timeout | undefined;

  function advance(): void {
    for (;;) {
      const turn = waiting.get(next);
      waiting.delete(next);
      if (turn === undefined && !passed.delete(next)) break;
      next += 1;
      turn?.begin();
    }
    clearTimeout(timer);
    timer = waiting.size === 0 ? undefined : setTimeout(giveUp, gapMs).unref();
  }

  function giveUp(): void {
    clearTimeout(timer);
    const missed = [...waiting.values()];
    waiting.clear();
    for (const { miss } of missed) miss(next);
  }

  return {
    isNext: (seqId) => seqId === next,
    fillsGap: (seqId) => waiting.size > 0 && seqId === next,
    take({ seqId, begin, miss }) {
      // A lower number was passed over or given up; its request is late, not wrong.
      if (seqId < next) return begin();
      const isGap = waiting.size === 0 || seqId === next;
      waiting.set(seqId, { begin, miss });
      if (isGap) advance();
    },
    passOver(seqId) {
      if (seqId < next || waiting.has(seqId)) return;
      if (passed.size < rememberedNumbers) passed.add(seqId);
      if (seqId === next) advance();
    },
    close: giveUp,
  };
}
