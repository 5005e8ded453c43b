import { type Candidate, type Generator, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { contentHash } from '../content-hash.js';
import { promptsDirectory } from '../prompts-directory.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { AnswerFault } from './answer-fault.js';
import { type Clock, systemClock } from './clock.js';
import { createAsker } from './create-asker.js';
import { createLedger } from './create-ledger.js';
import { bug } from './kinds/bug.js';
import type { CandidateKind, CandidateQuestion, Proposal } from './kinds/candidate-kind.js';
import { featureBreaks } from './kinds/feature-breaks.js';
import { reimplement } from './kinds/reimplement.js';
import { written } from './kinds/written.js';
import { loadPrompt } from './load-prompt.js';
import type { CallBudget, ModelCall, ModelKind, Spent } from './model-call.js';
import { type ModelEndpoint, readEndpoint } from './model-endpoint.js';
import { readSources } from './source-file.js';

/** What a model can be asked to propose. */
export type ModelCandidateKind = Exclude<ModelKind, 'statement'>;

/** A generator that knows what it has spent on its endpoint, in all its proposals together. */
export interface ModelGenerator extends Generator {
  /** The sums of all records so far. */
  spent(): Spent;
}

const kinds: Readonly<Record<ModelCandidateKind, CandidateKind>> = { bug, 'feature-breaks': featureBreaks, reimplement, written };
const settingsSchema = z.object({
  kind: z.enum(['written', 'bug', 'feature-breaks', 'reimplement']),
  proposals: z.int().positive().default(100),
  maxSourceTokens: z.int().positive().default(6000),
  maxFailures: z.int().positive().default(3),
});

/**
 * Makes a generator that asks a language model, by kind:
 *
 * - `written`: statement, gold patch and hidden tests of work that the snapshot lacks (FrogNano's own form)
 * - `bug`: a subtle bug in a given function (SWE-smith's LM-modify)
 * - `feature-breaks`: a feature whose accidental breakage of existing tests is the bug (BugPilot's FeatAdd)
 * - `reimplement`: a function written anew without its body (SWE-smith's LM-rewrite)
 *
 * Answers are read by a zod schema, which the endpoint is given as `response_format`; one that cannot be used is shown to
 * the model once and then refused, with a reason in its record. A candidate need not be a task: execution decides.
 * `bug` and `reimplement` know JavaScript and TypeScript. The same `random` gives the same questions; the same candidates
 * come only from an endpoint that gives the same answers. The package `openai` is an optional peer, loaded with the first
 * request.
 *
 * @throws TadpoleError `invalid-config` for options or prompts that cannot work, `storage` where a prompt cannot be read;
 * `propose` throws `storage`, `missing-dependency`, `policy` when the endpoint is dead, and `aborted`.
 */
export function createModelGenerator(options: {
  endpoint: ModelEndpoint;
  kind: ModelCandidateKind;
  /** Questions of one `propose` at most, over as many passes over the snapshot as they take. @default 100 */
  proposals?: number;
  /** Ends `propose` as soon as it is reached by all proposals of this generator together. @default no bound */
  budget?: CallBudget;
  /** Told of every request when it is known what became of it. @default nobody */
  onCall?: (call: ModelCall) => void;
  /** Source text in one prompt, in tokens of four bytes. @default 6000 */
  maxSourceTokens?: number;
  /** Questions in a row that the endpoint leaves without an answer before it is held to be dead. @default 3 */
  maxFailures?: number;
  /** Folder of prompt files of your own, with the same names and placeholders. @default this package's */
  prompts?: string;
  /** @default the machine's */
  clock?: Clock;
}): ModelGenerator {
  const { budget = {}, onCall = () => {}, prompts: directory = promptsDirectory(), clock = systemClock } = options;
  const parsed = settingsSchema.safeParse(options);
  if (!parsed.success) {
    throw new TadpoleError({ code: 'invalid-config', message: `createModelGenerator: ${z.prettifyError(parsed.error)}` });
  }
  const { kind, proposals, maxSourceTokens, maxFailures } = parsed.data;
  const endpoint = readEndpoint({ endpoint: options.endpoint, budget });
  const name = `model-${kind}`;
  const { promptFile, placeholders, questions } = kinds[kind];
  const prompt = loadPrompt({ directory, file: promptFile, names: placeholders });
  const repairPrompt = loadPrompt({ directory, file: 'repair.md', names: ['problem'] });
  const ledger = createLedger({ budget, hasPrice: endpoint.price !== undefined });
  const ask = createAsker({ endpoint, kind, repairPrompt, ledger, onCall, clock, maxFailures });

  return {
    name,
    spent: () => ledger.spent(),
    async *propose({ snapshot, random, signal }) {
      const sources = await readSources({ snapshot, ...(signal === undefined ? {} : { signal }) });
      const seen = new Set<string>();
      const once = (question: CandidateQuestion) => withoutRepeats({ question, seen });
      for (let asked = 0, passed = -1; asked > passed; ) {
        passed = asked;
        for await (const question of questions({ snapshot, sources, prompt, maxSourceTokens, random })) {
          throwIfAborted(signal, 'Proposing candidates');
          if (asked === proposals || ledger.isExhausted()) return;
          asked++;
          const seed = Math.floor(random() * 2 ** 31);
          const asking = await ask({ ...once(question), prompt, seed, ...(signal === undefined ? {} : { signal }) });
          if (asking.status === 'accepted') yield toCandidate({ proposal: asking.value, generator: name });
        }
      }
    },
  };
}

/** The question with a proposal that was made before as a fault. */
function withoutRepeats(options: { question: CandidateQuestion; seen: Set<string> }): CandidateQuestion {
  const { question, seen } = options;
  return {
    ...question,
    read(answer) {
      const proposal = question.read(answer);
      const { edits, solution = [], hiddenTests = [] } = proposal;
      const key = contentHash([edits, solution, hiddenTests]);
      if (seen.has(key)) throw new AnswerFault({ reason: 'duplicate', problem: 'it was proposed before.' });
      seen.add(key);
      return proposal;
    },
  };
}

function toCandidate(options: { proposal: Proposal; generator: string }): Candidate {
  const { file, line, taskType, ...proposed } = options.proposal;
  const { generator } = options;
  return { ...proposed, lineage: { generator, operator: generator, file, line, ...(taskType === undefined ? {} : { taskType }) } };
}
