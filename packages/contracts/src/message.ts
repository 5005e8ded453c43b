import { z } from 'zod';

/** One call that the model asks for; `arguments` is the JSON text as the model wrote it, perhaps malformed. */
export const toolCallSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  arguments: z.string(),
});
/** See {@link toolCallSchema}. */
export type ToolCall = z.infer<typeof toolCallSchema>;

/** The harness's instruction to the model. */
export const systemMessageSchema = z.strictObject({ role: z.literal('system'), content: z.string() });
/** The task's instruction. */
export const userMessageSchema = z.strictObject({ role: z.literal('user'), content: z.string() });
/** A turn of the model: text, reasoning kept in the history, and its tool calls. */
export const assistantMessageSchema = z.strictObject({
  role: z.literal('assistant'),
  content: z.string(),
  reasoning: z.string().optional(),
  toolCalls: z.array(toolCallSchema).readonly().default([]),
});
/** What a tool answered to the call `toolCallId`. */
export const toolMessageSchema = z.strictObject({
  role: z.literal('tool'),
  toolCallId: z.string().min(1),
  content: z.string(),
});

/** A message of a conversation, discriminated by `role`. Every tool call has exactly one tool message. */
export const messageSchema = z.discriminatedUnion('role', [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
]);
/** See {@link messageSchema}. */
export type Message = z.infer<typeof messageSchema>;
/** See {@link systemMessageSchema}. */
export type SystemMessage = z.infer<typeof systemMessageSchema>;
/** See {@link userMessageSchema}. */
export type UserMessage = z.infer<typeof userMessageSchema>;
/** See {@link assistantMessageSchema}. */
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
/** See {@link toolMessageSchema}. */
export type ToolMessage = z.infer<typeof toolMessageSchema>;
