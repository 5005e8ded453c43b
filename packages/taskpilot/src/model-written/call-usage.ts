import type { Usage } from '@tadpole/contracts';
import { estimateTokens } from './excerpt.js';
import type { ReadyEndpoint } from './model-endpoint.js';
import type { Reply } from './read-completion.js';
import type { RequestBody } from './send-request.js';

/**
 * What a request cost: as the endpoint counts it, else estimated from the text. An error status costs nothing; a lost
 * answer (`undefined` where the caller ended it) at least its prompt.
 */
export function usageOf(options: { endpoint: ReadyEndpoint; reply: Reply | undefined; body: RequestBody }): Usage {
  const { endpoint, reply, body } = options;
  if (reply?.kind === 'failed' && !reply.isLost) return priced(endpoint, { promptTokens: 0, completionTokens: 0 });
  const wire = reply === undefined || reply.kind === 'failed' ? undefined : reply.usage;
  if (wire !== undefined) return priced(endpoint, { promptTokens: wire.prompt_tokens, completionTokens: wire.completion_tokens });
  const written = reply === undefined || reply.kind === 'failed' ? '' : reply.text;
  const estimated = { promptTokens: estimateTokens(JSON.stringify(body.messages)), completionTokens: estimateTokens(written) };
  return priced(endpoint, { ...estimated, isEstimated: true });
}

function priced({ price }: ReadyEndpoint, usage: Usage): Usage {
  if (price === undefined) return usage;
  const { promptTokens, completionTokens } = usage;
  return { ...usage, costUsd: (promptTokens * price.promptPerMillion + completionTokens * price.completionPerMillion) / 1_000_000 };
}
