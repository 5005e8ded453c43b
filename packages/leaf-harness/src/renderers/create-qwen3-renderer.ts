import type { Renderer } from '@tadpole/contracts';
import { createHermesRenderer, type ModelRendererOptions } from './create-hermes-renderer.js';

/**
 * Creates the renderer of Qwen3: ChatML, `<think>`, calls as JSON in `<tool_call>`. `templateVariables: { enable_thinking: false }`
 * switches thinking off.
 *
 * @throws TadpoleError as `createTemplateRenderer`.
 */
export function createQwen3Renderer(options: ModelRendererOptions): Renderer {
  return createHermesRenderer({ name: 'qwen3', ...options });
}
