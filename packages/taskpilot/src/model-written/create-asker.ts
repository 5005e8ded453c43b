import { z } from 'zod';
import { contentHash } from '../content-hash.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { usageOf } from './call-usage.js';
import type { Clock } from './clock.js';
import type { Ledger } from './create-ledger.js';
import { deadEndpoint } from './dead-endpoint.js';
import type { Prompt } from './load-prompt.js';
import type { CallReason, ModelCall, ModelKind } from './model-call.js';
import type { ReadyEndpoint } from './model-endpoint.js';
import type { Reply } from './read-completion.js';
import { type Question, readReply } from './read-reply.js';
import { createSender, type RequestBody } from './send-request.js';

/** How a question ended. */
export type Asking<Value> =
  | { readonly status: 'accepted'; readonly value: Value }
  | { readonly status: 'refused'; readonly reason: CallReason };

/** Asks until an answer can be used or is given up; never guesses what an answer was to say. */
export type Ask = <Answer, Value>(question: Question<Answer, Value>) => Promise<Asking<Value>>;

type Message = { readonly role: 'user' | 'assistant'; readonly content: string };

/** What a request takes of its question. */
type Asked = Pick<Question<unknown, unknown>, 'prompt' | 'schema' | 'seed' | 'signal'>;

/** What is known of a question between its requests. */
interface Progress {
  readonly messages: Message[];
  usesSchema: boolean;
  hasRepaired: boolean;
  retries: number;
}

/** Faults that the model is not told of. */
const notRepaired: readonly CallReason[] = ['model-refused', 'duplicate'];

/**
 * Talks with one endpoint, records every request and adds it to the ledger. A fault in an answer is shown to the model
 * once; a failure of the endpoint is asked again `maxRetries` times with growing waits; an endpoint that rejects
 * `response_format` is asked without it from then on.
 *
 * The result throws TadpoleError `policy` when no further request can be expected to be answered (wrong key, unknown
 * model, `maxFailures` questions in a row without any answer) and `aborted` by the signal.
 */
export function createAsker(options: {
  endpoint: ReadyEndpoint;
  kind: ModelKind;
  repairPrompt: Prompt<'problem'>;
  ledger: Ledger;
  onCall: (call: ModelCall) => void;
  clock: Clock;
  /** Questions in a row that the endpoint leaves without an answer before it is held to be dead. */
  maxFailures: number;
}): Ask {
  const { endpoint, kind, repairPrompt, ledger, onCall, clock, maxFailures } = options;
  const send = createSender({ endpoint, clock });
  let takesSchema = true;
  let failures = 0;

  /** Counts questions without an answer. */
  function noteFailure(reply: Reply): void {
    if (reply.kind !== 'failed') return;
    if (reply.reason !== 'prompt-too-long') failures++;
    if (reply.isFinal || failures >= maxFailures) throw deadEndpoint({ endpoint, failures, text: reply.text });
  }

  /** Sends one request. `finish` records it, and is called when it is known what becomes of the answer. */
  async function sendRecorded(question: Asked, progress: Progress) {
    throwIfAborted(question.signal, 'Asking a model');
    const { prompt, signal } = question;
    const body = requestBody({ endpoint, question, ...progress });
    const hashes = { requestHash: contentHash(body), promptFile: prompt.file, promptHash: prompt.hash };
    const startedMs = clock.now();
    const reply = await send({ body, signal }).catch((error: unknown) => (signal?.aborted ? undefined : Promise.reject(error)));
    const usage = usageOf({ endpoint, reply, body });
    const durationMs = clock.now() - startedMs;
    ledger.add(usage);
    const finish = (outcome: ModelCall['outcome'], reason?: CallReason) =>
      onCall({ kind, ...hashes, model: endpoint.model, usage, outcome, ...(reason === undefined ? {} : { reason }), durationMs });
    if (reply === undefined || signal?.aborted) finish('refused', 'aborted');
    throwIfAborted(signal, 'Asking a model');
    return { reply: reply as Reply, finish };
  }

  /** One request and what follows from it; undefined where the question is to be asked again. */
  async function step<Answer, Value>(question: Question<Answer, Value>, progress: Progress): Promise<Asking<Value> | undefined> {
    const { reply, finish } = await sendRecorded(question, progress);
    if (reply.kind !== 'failed') [failures, takesSchema] = [0, takesSchema && progress.usesSchema];
    const result = readReply({ reply, question });
    if ('value' in result) {
      finish('accepted');
      return { status: 'accepted', value: result.value };
    }
    const next = ledger.isExhausted() ? 'stop' : nextStep({ endpoint, reply, reason: result.reason, progress });
    const reason = reasonOf(next, result.reason);
    finish(next === 'stop' ? 'refused' : 'repaired', reason);
    if (next === 'without-schema') progress.usesSchema = false;
    if (next === 'repair') showProblem({ progress, reply, problem: repairPrompt.fill({ problem: result.problem }) });
    if (next === 'retry') await pause({ clock, ms: waitMs({ reply, retries: progress.retries++ }), signal: question.signal });
    if (next !== 'stop') return undefined;
    noteFailure(reply);
    return { status: 'refused', reason };
  }

  return async (question) => {
    const progress = newProgress({ text: question.text, usesSchema: takesSchema });
    for (;;) {
      const asking = await step(question, progress);
      if (asking !== undefined) return asking;
    }
  };
}

function newProgress(options: { text: string; usesSchema: boolean }): Progress {
  const { text, usesSchema } = options;
  return { messages: [{ role: 'user', content: text }], usesSchema, hasRepaired: false, retries: 0 };
}

function requestBody(options: {
  endpoint: ReadyEndpoint;
  question: Asked;
  messages: readonly Message[];
  usesSchema: boolean;
}): RequestBody {
  const { endpoint, question, messages, usesSchema } = options;
  const { $schema: _, ...schema } = z.toJSONSchema(question.schema);
  return {
    model: endpoint.model,
    messages: [...messages],
    temperature: endpoint.temperature,
    max_completion_tokens: endpoint.maxTokens,
    seed: question.seed,
    ...(usesSchema ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } } : {}),
    ...endpoint.extraBody,
  };
}

type Next = 'retry' | 'without-schema' | 'repair' | 'stop';

function reasonOf(next: Next, reason: CallReason): CallReason {
  return next === 'without-schema' ? 'schema-unsupported' : reason;
}

function nextStep(options: { endpoint: ReadyEndpoint; reply: Reply; reason: CallReason; progress: Progress }): Next {
  const { endpoint, reply, reason, progress } = options;
  if (reply.kind !== 'failed') return progress.hasRepaired || notRepaired.includes(reason) ? 'stop' : 'repair';
  if (reply.isTransient)
    return progress.retries < endpoint.maxRetries && waitMs({ reply, retries: progress.retries }) <= endpoint.maxWaitMs ? 'retry' : 'stop';
  return progress.usesSchema && !reply.isFinal && reason !== 'prompt-too-long' ? 'without-schema' : 'stop';
}

/** An assistant's turn is shown to it again up to this many characters. */
const longestEcho = 20_000;

function showProblem(options: { progress: Progress; reply: Reply; problem: string }): void {
  const { progress, reply, problem } = options;
  progress.hasRepaired = true;
  progress.messages.push(
    { role: 'assistant', content: reply.text.slice(0, longestEcho) || '(nothing)' },
    { role: 'user', content: problem },
  );
}

/** What the endpoint asks for; otherwise half a second, and twice as long each time. */
function waitMs(options: { reply: Reply; retries: number }): number {
  const { reply, retries } = options;
  return (reply.kind === 'failed' ? reply.retryAfterMs : undefined) ?? 500 * 2 ** retries;
}

async function pause(options: { clock: Clock; ms: number; signal: AbortSignal | undefined }): Promise<void> {
  const { clock, ms, signal } = options;
  await clock.sleep({ ms, ...(signal === undefined ? {} : { signal }) }).catch((error: unknown) => {
    throwIfAborted(signal, 'Asking a model');
    throw error;
  });
}
