/** A `fetch` whose response bodies end with an error after that many bytes, counted as they are read, so after decoding. */
export function boundedFetch(options: { fetch: typeof fetch; maxBytes: number }): typeof fetch {
  return async (input, init) => {
    const response = await options.fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(bounded(response.body, options.maxBytes), { status, statusText, headers });
  };
}

async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError(`Expected a response of ${maxBytes} bytes at most, received more. Raise maxResponseBytes.`);
    yield chunk;
  }
}
