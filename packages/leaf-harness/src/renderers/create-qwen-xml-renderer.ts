import type { Renderer } from '@tadpole/contracts';
import type { ModelRendererOptions } from './create-hermes-renderer.js';
import { createTemplateRenderer } from './create-template-renderer.js';
import { qwenXmlCalls } from './qwen-xml-calls.js';

/**
 * Creates the renderer of Qwen3.5 and Qwen3-Coder: ChatML, `<think>`, calls as `<function=…><parameter=…>` in `<tool_call>`,
 * whose values get the types of the tools' JSON Schemas.
 *
 * @throws TadpoleError as `createTemplateRenderer`.
 */
export function createQwenXmlRenderer(options: ModelRendererOptions): Renderer {
  return createTemplateRenderer({ name: 'qwen-xml', ...options, callFormat: qwenXmlCalls });
}
