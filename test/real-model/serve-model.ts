// Serves the small model at an OpenAI-compatible chat-completions endpoint. Prints its address as its only line.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hermesCalls } from '@tadpole/leaf-harness';
import { chatRequestSchema } from './chat-request-schema.js';
import { installModel } from './install-model.js';
import { type Generation, openEngine } from './open-engine.js';
import { smallModelPrompt, toolsWithoutExamples } from './small-model-prompt.js';

const engine = await openEngine(await installModel());

const server = createServer(async (request, response) => {
  const { status, body } = await answer(request).catch((error: unknown) => failure(500, String(error)));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));

async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return failure(404, `No such page: ${request.url}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const parsed = chatRequestSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
  if (!parsed.success) return failure(400, parsed.error.message);
  const asked = parsed.data;
  const tools = asked.tools.map((tool) => tool.function.name);
  const unknown = toolsWithoutExamples(tools);
  if (unknown.length > 0) return failure(400, `This model is offered no ${unknown.join(', ')}.`);
  const generation = await engine.generate({
    prompt: smallModelPrompt({ messages: asked.messages, tools }),
    maxTokens: asked.max_completion_tokens,
    temperature: asked.temperature,
    topP: asked.top_p,
    topK: asked.top_k,
    seed: asked.seed,
    ...(asked.response_format == null ? {} : { jsonSchema: asked.response_format.json_schema.schema }),
  });
  if ('tooLong' in generation) {
    return failure(400, `The maximum context length is ${engine.contextTokens} tokens; the messages have ${generation.tooLong}.`);
  }
  return { status: 200, body: completion(generation, asked) };
}

function completion(generation: Generation, asked: { logprobs: boolean; return_token_ids: boolean }): object {
  const { content, calls } = hermesCalls({ text: generation.text, tools: [] });
  const { promptIds, completionIds, logprobs } = generation;
  return {
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          ...(calls.length === 0
            ? {}
            : { tool_calls: calls.map((made, index) => ({ id: `made-${index}`, type: 'function', function: made })) }),
        },
        finish_reason: generation.stopReason === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
        ...(asked.logprobs ? { logprobs: { content: logprobs.map((logprob) => ({ logprob })) } } : {}),
        ...(asked.return_token_ids ? { token_ids: completionIds } : {}),
      },
    ],
    ...(asked.return_token_ids ? { prompt_token_ids: promptIds } : {}),
    usage: {
      prompt_tokens: promptIds.length,
      completion_tokens: completionIds.length,
      total_tokens: promptIds.length + completionIds.length,
    },
  };
}

function failure(status: number, message: string): { status: number; body: object } {
  return { status, body: { error: { message, code: status } } };
}
