import assert from 'node:assert/strict';

/** Answer of a server, whatever its status: error shapes are part of what a conformance suite looks at. */
export interface TinkerAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The protocol's requests without a client's kindnesses: no retries, no schemas. */
export interface TinkerRequests {
  /** Sends one request to `/api/v1` + `path`; GET without a body. */
  send(path: string, body?: unknown): Promise<TinkerAnswer>;
  /** Polls a submitted request until its answer is no longer "not ready". */
  retrieve(requestId: string): Promise<TinkerAnswer>;
  /** `send` and, where that was accepted, `retrieve`. */
  finish(path: string, body: unknown): Promise<TinkerAnswer>;
}

const mostPolls = 600;

/** Requests in JSON to the server at `baseUrl`, which may be known only when the first is sent. */
export function tinkerRequests(options: { baseUrl: string | (() => string); apiKey?: string; fetch?: typeof fetch }): TinkerRequests {
  const { baseUrl, apiKey = 'tml-conformance', fetch: send = fetch } = options;
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const requests: TinkerRequests = {
    async send(path, body) {
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await send(`${typeof baseUrl === 'string' ? baseUrl : baseUrl()}/api/v1${path}`, init);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async retrieve(requestId) {
      for (let poll = 0; poll < mostPolls; poll += 1) {
        const answer = await requests.send('/retrieve_future', { request_id: requestId });
        if (answer.status !== 408 && answer.body.type !== 'try_again') return answer;
      }
      return assert.fail(`request ${requestId} was not done after ${mostPolls} polls`);
    },
    async finish(path, body) {
      const submitted = await requests.send(path, body);
      if (submitted.status !== 200) return submitted;
      assert.equal(typeof submitted.body.request_id, 'string', `${path} gave no request_id: ${JSON.stringify(submitted.body)}`);
      return requests.retrieve(String(submitted.body.request_id));
    },
  };
  return requests;
}

/** True where a server says that a request or its operation is at fault: a 4xx, or a 200 that holds an error. */
export function isRefused({ status, body }: TinkerAnswer): boolean {
  return (status >= 400 && status < 500) || (status === 200 && typeof body.error === 'string');
}
