import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isTadpoleError } from '@tadpole/contracts';
import { futureRoutes } from './future-routes.js';
import { modelRoutes } from './model-routes.js';
import { MalformedBody } from './parse-body.js';
import { parseJson, readBody } from './read-request.js';
import { RefusedRequest } from './refused-request.js';
import { samplingRoutes } from './sampling-routes.js';
import type { Route, RouteAnswer, ServerState } from './server-state.js';
import { trainingRoutes } from './training-routes.js';
import { weightsRoutes } from './weights-routes.js';

const routes: readonly Route[] = [...modelRoutes, ...trainingRoutes, ...weightsRoutes, ...samplingRoutes, ...futureRoutes];
const rememberedKeys = 4_096;

/** Answers requests; one that is sent again under its idempotency key gets the answer of the first. */
export function createAnswerer(options: { state: ServerState; apiKey: string | undefined; mostBytes: number }) {
  const { state, apiKey, mostBytes } = options;
  const answers = new Map<string, Promise<RouteAnswer>>();

  return async (request: IncomingMessage, signal: AbortSignal): Promise<RouteAnswer> => {
    try {
      requireKey({ given: request.headers['x-api-key'], apiKey });
      const url = new URL(request.url ?? '/', 'http://server');
      const { route, parts } = findRoute({ method: request.method ?? '', path: url.pathname });
      const body = await readBody({ request, mostBytes });
      const isProtobuf = request.headers['content-type']?.startsWith('application/x-protobuf') ?? false;
      const takesProtobuf = request.headers.accept?.includes('application/x-protobuf') ?? false;
      const call = () =>
        route.answer({ body, json: () => parseJson(body), isProtobuf, takesProtobuf, query: url.searchParams, parts, signal }, state);
      const key = request.headers['x-idempotency-key'];
      const isRepeatable = typeof key === 'string' && route.method === 'POST' && url.pathname !== '/api/v1/retrieve_future';
      return await (isRepeatable ? once(`${key} ${url.pathname} ${createHash('sha256').update(body).digest('hex')}`, call) : call());
    } catch (error) {
      return refusalOf(error);
    }
  };

  function once(key: string, call: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = call();
    answers.set(key, answer);
    // What was refused may be tried again.
    answer.catch(() => answers.delete(key));
    const [oldest] = answers.keys();
    if (answers.size > rememberedKeys && oldest !== undefined) answers.delete(oldest);
    return answer;
  }
}

function findRoute({ method, path }: { method: string; path: string }): { route: Route; parts: readonly string[] } {
  const below = path.startsWith('/api/v1') ? path.slice('/api/v1'.length) : '';
  const matching = routes.filter((route) => route.path.test(below));
  const route = matching.find((one) => one.method === method);
  if (route !== undefined) return { route, parts: route.path.exec(below)?.slice(1) ?? [] };
  throw matching.length === 0
    ? new RefusedRequest(404, `Not found: ${path.slice(0, 200)}`)
    : new RefusedRequest(405, `Expected ${matching.map((one) => one.method).join(' or ')}, got ${method}.`);
}

function requireKey({ given, apiKey }: { given: string | string[] | undefined; apiKey: string | undefined }): void {
  if (apiKey === undefined) return;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (typeof given === 'string' && timingSafeEqual(digest(given), digest(apiKey))) return;
  throw new RefusedRequest(401, 'Expected the API key of this server in the header X-API-Key.');
}

function refusalOf(error: unknown): RouteAnswer {
  if (error instanceof RefusedRequest) return { status: error.status, json: { detail: error.message } };
  if (error instanceof MalformedBody) return { status: 422, json: { detail: error.detail } };
  if (isTadpoleError(error) && error.code === 'invalid-input') return { status: 400, json: { detail: error.message } };
  return { status: 500, json: { detail: error instanceof Error ? error.message : 'The request failed.' } };
}
