import type { Message, Renderer } from '@tadpole/contracts';
import { specialTokenId } from '../tokenizer/special-tokens.js';
import type { WeightedSequence } from './weighted-sequence.js';

/**
 * The ids of an episode that ends with an assistant message. What the assistant writes, its `end` included, weighs 1; the
 * rest weighs `contextWeight`.
 */
export function episodeSequence(options: {
  renderer: Renderer;
  messages: readonly Message[];
  /** @default 0.2 */
  contextWeight?: number;
}): WeightedSequence {
  const { renderer, messages, contextWeight = 0.2 } = options;
  const ids = renderer.render(messages, []).slice(0, -1);
  const assistant = specialTokenId('assistant');
  const end = specialTokenId('end');
  let isWriting = false;
  const weights = ids.map((id) => {
    const weight = isWriting ? 1 : contextWeight;
    if (id === assistant) isWriting = true;
    else if (id === end) isWriting = false;
    return weight;
  });
  return { ids, weights };
}
