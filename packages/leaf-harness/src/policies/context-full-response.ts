import type { PolicyResponse } from '@tadpole/contracts';

/** The answer of a policy for whose prompt no room was left. */
export const contextFullResponse: PolicyResponse = {
  message: { role: 'assistant', content: '', toolCalls: [] },
  usage: { promptTokens: 0, completionTokens: 0 },
  stopReason: 'context',
};
