import { createModelResultSchema } from '@tadpole/contracts/tinker';
import type { z } from 'zod';
import { type ResultReader, requestIdOf, retrieveResult } from './tinker-futures.js';
import type { TinkerRequest, Transport } from './tinker-transport.js';

/** How results are waited for. */
export interface WaitSettings {
  /** A request without a result after so long is given up. */
  readonly stuckMs: number;
  /** Milliseconds. */
  readonly now: () => number;
  readonly onQueueState?: ((state: string) => void) | undefined;
}

/** A model in training on a server. Its requests are submitted one after the other in the order of the calls, with numbers from 1. */
export interface TinkerModel {
  readonly id: string;
  /** Submits a request and waits for its result. `body` is given the request's number. @throws TinkerFailure; TadpoleError `aborted` */
  request<Schema extends z.ZodType>(options: {
    path: string;
    body: (seqId: number) => Pick<TinkerRequest, 'json' | 'protobuf'>;
    reader: ResultReader<Schema>;
    signal?: AbortSignal | undefined;
  }): Promise<z.infer<Schema>>;
  unload(): Promise<void>;
}

/** Makes a model on the server. @throws TinkerFailure; TadpoleError `aborted` */
export async function createTinkerModel(options: {
  transport: Transport;
  wait: WaitSettings;
  sessionId: string;
  /** Counts the session's models from 0. */
  modelSeqId: number;
  baseModel: string;
  rank: number;
  seed?: number | undefined;
  signal?: AbortSignal | undefined;
}): Promise<TinkerModel> {
  const { transport, wait, sessionId, modelSeqId, baseModel, rank, seed, signal } = options;
  const body = {
    ...{ session_id: sessionId, model_seq_id: modelSeqId, base_model: baseModel, type: 'create_model' },
    lora_config: { rank, ...(seed === undefined ? {} : { seed }) },
  };
  const { requestId } = requestIdOf(await transport({ path: '/create_model', json: body, signal }));
  const reader = { schema: createModelResultSchema };
  const { model_id: id } = await retrieveResult({ transport, requestId, reader, ...wait, signal });
  return openTinkerModel({ transport, wait, id });
}

function openTinkerModel({ transport, wait, id }: { transport: Transport; wait: WaitSettings; id: string }): TinkerModel {
  let seqId = 0;
  let submitted: Promise<unknown> = Promise.resolve();
  return {
    id,
    async request({ path, body, reader, signal }) {
      seqId += 1;
      const own = body(seqId);
      const takesProtobuf = reader.fromProtobuf !== undefined;
      // The server works in the order of arrival, so that no request may overtake another on its way.
      const submission = submitted.then(() => transport({ path, ...own, takesProtobuf, signal }));
      submitted = submission.catch(() => undefined);
      const { requestId } = requestIdOf(await submission);
      return retrieveResult({ transport, requestId, reader, ...wait, signal });
    },
    async unload() {
      await transport({ path: '/unload_model', json: { model_id: id, type: 'unload_model' }, expected: [404] });
    },
  };
}
