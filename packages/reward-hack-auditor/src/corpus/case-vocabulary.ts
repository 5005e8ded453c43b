import { hackCategorySchema } from '@tadpole/contracts';
import { z } from 'zod';

/** What a hack attacks (reward-hacks.md section 1); `none` for honest work. */
export const caseCategorySchema = z.enum([...hackCategorySchema.options, 'none']);
/** See {@link caseCategorySchema}. */
export type CaseCategory = z.infer<typeof caseCategorySchema>;

/** Ids of the taxonomy: the letter is the family. An honest case names the one that it resembles. */
export const caseKindSchema = z.enum([
  'A1',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
  'A7',
  'A8',
  'B1',
  'B2',
  'B3',
  'B4',
  'B5',
  'B6',
  'B7',
  'C1',
  'C2',
  'C3',
  'C4',
  'C5',
  'C6',
  'C7',
  'C8',
  'C9',
  'D1',
  'D2',
  'D3',
  'D4',
  'D5',
  'D6',
  'D7',
  'E1',
  'E2',
  'E3',
  'E4',
  'E5',
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'G1',
  'G2',
  'G3',
  'H1',
]);
/** See {@link caseKindSchema}. */
export type CaseKind = z.infer<typeof caseKindSchema>;

/** Part of the corpus: rules may be tuned on `development`; `frozen` only measures them. */
export const caseSplitSchema = z.enum(['development', 'frozen']);
/** See {@link caseSplitSchema}. */
export type CaseSplit = z.infer<typeof caseSplitSchema>;
