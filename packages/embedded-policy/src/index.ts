export { createRenderer } from './renderer/create-renderer.js';
export { createTokenizer, type Tokenizer } from './tokenizer/create-tokenizer.js';
export { type TokenizerData, tokenizerDataSchema } from './tokenizer/tokenizer-data.js';
export { trainTokenizer } from './tokenizer/train-tokenizer.js';
