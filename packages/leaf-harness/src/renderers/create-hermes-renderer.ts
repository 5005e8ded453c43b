import type { Renderer } from '@tadpole/contracts';
import { createTemplateRenderer, type TemplateRendererOptions } from './create-template-renderer.js';
import { hermesCalls } from './hermes-calls.js';

/** What the renderer of a model family needs: `createTemplateRenderer`'s options without what the family decides. */
export type ModelRendererOptions = Omit<TemplateRendererOptions, 'callFormat' | 'name'> & {
  /** For records. @default the family's name */
  readonly name?: string;
};

/**
 * Creates the renderer of models that write calls as JSON in `<tool_call>`, such as Hermes and Qwen2.5.
 *
 * @throws TadpoleError as `createTemplateRenderer`.
 */
export function createHermesRenderer(options: ModelRendererOptions): Renderer {
  return createTemplateRenderer({ name: 'hermes', ...options, callFormat: hermesCalls });
}
