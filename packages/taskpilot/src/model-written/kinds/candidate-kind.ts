import type { Candidate, Snapshot, TaskType } from '@tadpole/contracts';
import type { Prompt } from '../load-prompt.js';
import type { Question } from '../read-reply.js';
import type { SourceFile } from '../source-file.js';

/** What an answer proposes; where it came from is added by the generator. */
export type Proposal = Omit<Candidate, 'lineage'> & { readonly file: string; readonly line: number; readonly taskType?: TaskType };

/** A question whose answer is a proposal. */
export type CandidateQuestion = Pick<Question<unknown, Proposal>, 'text' | 'schema' | 'read'>;

/** What questions are made from. */
export interface QuestionSource {
  readonly snapshot: Snapshot;
  /** By path. */
  readonly sources: readonly SourceFile[];
  readonly prompt: Prompt;
  /** Most tokens, about, of source text in one prompt. */
  readonly maxSourceTokens: number;
  readonly random: () => number;
}

/** One thing that a model can be asked to propose. */
export interface CandidateKind {
  readonly promptFile: string;
  readonly placeholders: readonly string[];
  /** The questions of one pass over a snapshot, in random order. Empty where it holds nothing to ask about. */
  questions(source: QuestionSource): AsyncIterable<CandidateQuestion>;
}
