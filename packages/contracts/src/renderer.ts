import type { AssistantMessage, Message } from './message.js';
import type { ToolDefinition } from './tool.js';

/**
 * Turns messages into token ids and ids back into a message. `Policy = Renderer + Sampler`.
 * Appending messages to a history should extend the ids of that history; where it does not, the
 * recorder starts a new segment and counts the break.
 */
export interface Renderer {
  readonly name: string;
  /** Ids [T] of the whole prompt, ending where the assistant begins to write. */
  render(messages: readonly Message[], tools: readonly ToolDefinition[]): readonly number[];
  /**
   * The message that sampled ids [T] stand for. Malformed output is data: it comes back as text or as a call with malformed
   * arguments, never as a throw. `messages` is the history that the ids continue; with it, call ids are unique in the history.
   * `tools` types the values of formats that write them without a type.
   */
  parse(ids: readonly number[], messages?: readonly Message[], tools?: readonly ToolDefinition[]): AssistantMessage;
  /** Ids that end an assistant turn. */
  readonly stopIds: readonly number[];
}
