import type { WireDatum } from '@tadpole/contracts/tinker';

/** What the official SDK counts for a number of a request. */
const bytesOfNumber = 10;

/**
 * Splits a batch into requests of so many data and bytes at most, in order; a datum longer than that goes alone. Gradients of
 * requests add up before a step, so that splitting changes nothing (tinker-protocol.md section 1.4).
 */
export function chunkData(options: { data: readonly WireDatum[]; mostData: number; mostBytes: number }): readonly (readonly WireDatum[])[] {
  const { data, mostData, mostBytes } = options;
  const chunks: WireDatum[][] = [];
  let bytes = 0;
  for (const datum of data) {
    const own = bytesOf(datum);
    const last = chunks.at(-1);
    if (last && last.length < mostData && bytes + own <= mostBytes) {
      last.push(datum);
      bytes += own;
    } else {
      chunks.push([datum]);
      bytes = own;
    }
  }
  return chunks;
}

function bytesOf({ model_input, loss_fn_inputs }: WireDatum): number {
  const tokens = model_input.chunks.reduce((sum, chunk) => sum + chunk.tokens.length, 0);
  const numbers = Object.values(loss_fn_inputs).reduce((sum, tensor) => sum + tensor.data.length, 0);
  return bytesOfNumber * (tokens + numbers);
}
