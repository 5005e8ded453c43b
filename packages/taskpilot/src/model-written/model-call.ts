import type { Usage } from '@tadpole/contracts';

/** What a model can be asked for. */
export type ModelKind = 'written' | 'bug' | 'feature-breaks' | 'reimplement' | 'statement';

/**
 * Why an answer was not taken (closed).
 *
 * What the model wrote: `not-json` (no JSON object) · `wrong-schema` · `model-refused` (a refusal, or a content filter) ·
 * `empty` · `truncated` (at the token cap) · `text-not-found` and `text-not-unique` (`oldText` must occur once in its file) ·
 * `outside-function` · `wrong-signature` · `wrong-file` (not a source file, or not new where it must be) ·
 * `overlapping-edits` · `no-change` · `duplicate` · `leaky-statement` · `wrong-information` (the statement names what it was
 * to leave out, or the reverse) · `under-determined` (it does not give the seen and the expected value).
 *
 * What the endpoint did: `schema-unsupported` (it takes no `response_format`) · `prompt-too-long` · `rate-limit` ·
 * `server-error` · `timeout` · `lost-answer` (connection lost, half a body, no chat completion) · `error-frame` (an error
 * within status 200) · `rejected` (a status that asking again does not change).
 *
 * What the caller did: `aborted`.
 */
export type CallReason =
  | 'not-json'
  | 'wrong-schema'
  | 'model-refused'
  | 'empty'
  | 'truncated'
  | 'text-not-found'
  | 'text-not-unique'
  | 'outside-function'
  | 'wrong-signature'
  | 'wrong-file'
  | 'overlapping-edits'
  | 'no-change'
  | 'duplicate'
  | 'leaky-statement'
  | 'wrong-information'
  | 'under-determined'
  | 'schema-unsupported'
  | 'prompt-too-long'
  | 'rate-limit'
  | 'server-error'
  | 'timeout'
  | 'lost-answer'
  | 'error-frame'
  | 'rejected'
  | 'aborted';

/** The record of one request to an endpoint. Holds no text of the model, of the endpoint or of the key. */
export interface ModelCall {
  readonly kind: ModelKind;
  /** sha256 of the request's body, hex. */
  readonly requestHash: string;
  readonly promptFile: string;
  /** sha256 of the prompt file, hex. */
  readonly promptHash: string;
  readonly model: string;
  /** Estimated where the endpoint counts nothing or the answer was lost; zero for an answer of an error status. */
  readonly usage: Usage;
  /** `accepted`: used; `repaired`: asked again for the reason, the next record is the new try; `refused`: given up for the reason. */
  readonly outcome: 'accepted' | 'repaired' | 'refused';
  readonly reason?: CallReason;
  readonly durationMs: number;
}

/** What was spent on an endpoint. */
export interface Spent {
  /** Requests, whatever became of them. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** United States dollars; absent without a price. */
  readonly costUsd?: number;
}

/** Bounds on what may be spent. A request begins while nothing has been reached, so the last one may go past tokens and dollars. */
export interface CallBudget {
  /** @default no bound */
  readonly calls?: number;
  /** Of prompts and completions together. @default no bound */
  readonly tokens?: number;
  /** Needs the endpoint's price. @default no bound */
  readonly costUsd?: number;
}
