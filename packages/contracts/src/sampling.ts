import { z } from 'zod';

/** How tokens are drawn. FrogNano trains at temperature 1, top-p 1, no top-k (arXiv 2609.07925, Table 2). */
export const samplingSchema = z.strictObject({
  /** 0 is greedy. */
  temperature: z.number().min(0).default(1),
  topP: z.number().gt(0).max(1).default(1),
  /** 0 switches it off. */
  topK: z.int().min(0).default(0),
  /** Generated tokens of one turn at most. */
  maxTokens: z.int().positive(),
  seed: z.int().min(0),
});
/** See {@link samplingSchema}. */
export type Sampling = z.infer<typeof samplingSchema>;
