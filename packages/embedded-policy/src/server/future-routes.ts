import { retrieveFutureRequestSchema } from '@tadpole/contracts/tinker';
import { parseBody } from './parse-body.js';
import type { Route } from './server-state.js';

/** `retrieve_future`, a long poll. */
export const futureRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/retrieve_future$/,
    async answer({ json, takesProtobuf, signal }, { futures, limits }) {
      const { request_id: requestId } = parseBody(retrieveFutureRequestSchema, json());
      const settled = await futures.wait({ requestId, pollMs: limits.pollMs, signal });
      if (settled === undefined) return { status: 408, json: { detail: 'Timeout waiting for result', queue_state: 'active' } };
      if ('refused' in settled) return { json: { error: settled.refused.message, category: 'user' } };
      if ('failed' in settled) return { json: { error: settled.failed.message, category: 'server' } };
      const { json: result, protobuf } = settled.result;
      return takesProtobuf && protobuf !== undefined ? { protobuf: protobuf() } : { json: result };
    },
  },
];
