import type { TestResult } from '@tadpole/contracts';
import { z } from 'zod';
import { promptsDirectory } from '../prompts-directory.js';
import { squeeze } from '../squeeze.js';
import { addedLines, restateDraft, type TaskDraft } from '../validate/task-draft.js';
import { Refusal } from '../validate/validation.js';
import { type Clock, systemClock } from './clock.js';
import { createAsker } from './create-asker.js';
import { createLedger } from './create-ledger.js';
import { excerptAround } from './excerpt.js';
import { fence } from './fence.js';
import { loadPrompt } from './load-prompt.js';
import type { CallBudget, CallReason, ModelCall, Spent } from './model-call.js';
import { type ModelEndpoint, readEndpoint } from './model-endpoint.js';
import { fail, someText } from './place-changes.js';
import { showFile } from './source-file.js';

/** How much a model-written statement gives: what fails; the behaviour that is owed; the file too; the function too. */
export type StatementInformation = 'symptom' | 'contract' | 'file' | 'function';

/** Rewrites statements and knows what it has spent. */
export interface StatementWriter {
  /**
   * The same task with a statement in a model's words: a new draft with its own id, whose `parent` is the draft and whose
   * rung is `written`. The trees and the tests are the same, so execution evidence carries over.
   *
   * @returns the reason where no statement could be used, `budget` where none was asked for.
   * @throws TadpoleError `missing-dependency`, `policy` when the endpoint is dead, `aborted`.
   */
  rewrite(options: {
    draft: TaskDraft;
    information: StatementInformation;
    /** Failing results of the agent's tree, for more symptoms than the draft's one. @default none */
    failures?: readonly TestResult[];
    /** In [0, 2^31), for the endpoint. */
    seed: number;
    signal?: AbortSignal;
  }): Promise<
    { readonly status: 'written'; readonly draft: TaskDraft } | { readonly status: 'refused'; readonly reason: CallReason | 'budget' }
  >;
  /** The sums of all records so far. */
  spent(): Spent;
}

const wanted: Readonly<Record<StatementInformation, (draft: TaskDraft) => string>> = {
  symptom: () => 'what goes wrong, as a user sees it. It names no file and no place in the code.',
  contract: () => 'the behaviour that is owed, as a rule with its limits, besides what goes wrong. It names no file.',
  file: ({ facts }) => `what goes wrong, and that it lies in ${facts.file}, named by that path.`,
  function: ({ facts }) => `what goes wrong, and that it lies in ${facts.file}, named by that path, in which function.`,
};
const schema = z.strictObject({ statement: someText });
/** Longer printed values need not stand in a statement word by word. In characters. */
const longestQuoted = 80;
const mostFailures = 5;

/**
 * Makes a writer of statements (taskpilot.md section 1): it shows a model the present statement, what the failing tests
 * printed and the agent's code around the bug, never the gold patch, and asks for a wanted amount of information.
 *
 * What comes goes through the gates of a statement again, must name the file exactly where that is wanted, and must give the printed
 * values, since ambiguity is not difficulty. Not covered: a paraphrase of the fix; whether the function or the contract is
 * really named.
 *
 * @throws TadpoleError `invalid-config` for an endpoint or a prompt that cannot work, `storage` where a prompt cannot be read.
 */
export function createStatementWriter(options: {
  endpoint: ModelEndpoint;
  /** @default no bound */
  budget?: CallBudget;
  /** Told of every request when it is known what became of it. @default nobody */
  onCall?: (call: ModelCall) => void;
  /** Lines of the agent's code in the prompt, in tokens of four bytes. @default 1500 */
  maxSourceTokens?: number;
  /** Questions in a row that the endpoint leaves without an answer before it is held to be dead. @default 3 */
  maxFailures?: number;
  /** Folder of prompt files of your own, with the same names and placeholders. @default this package's */
  prompts?: string;
  /** @default the machine's */
  clock?: Clock;
}): StatementWriter {
  const { budget = {}, onCall = () => {}, maxSourceTokens = 1500, maxFailures = 3, clock = systemClock } = options;
  const directory = options.prompts ?? promptsDirectory();
  const endpoint = readEndpoint({ endpoint: options.endpoint, budget });
  const prompt = loadPrompt({ directory, file: 'statement.md', names: ['information', 'project', 'source', 'statement', 'symptom'] });
  const repairPrompt = loadPrompt({ directory, file: 'repair.md', names: ['problem'] });
  const ledger = createLedger({ budget, hasPrice: endpoint.price !== undefined });
  const ask = createAsker({ endpoint, kind: 'statement', repairPrompt, ledger, onCall, clock, maxFailures });

  return {
    spent: () => ledger.spent(),
    async rewrite({ draft, information, failures = [], seed, signal }) {
      if (ledger.isExhausted()) return { status: 'refused', reason: 'budget' };
      const { facts } = draft;
      const goldLines = addedLines(draft.goldPatch);
      const text = prompt.fill({
        information: wanted[information](draft),
        project: draft.data.lineage.source,
        source: withoutLines(agentCode({ draft, maxSourceTokens }), goldLines),
        statement: fence(draft.data.instruction),
        symptom: fence(withoutLines([facts, ...failures.slice(0, mostFailures)].map(symptomOf).join('\n'), goldLines)),
      });
      const asking = await ask({
        prompt,
        text,
        schema,
        seed,
        ...(signal === undefined ? {} : { signal }),
        read({ statement }) {
          assertInformation({ statement, draft, information });
          return restated({ draft, instruction: statement.trim() });
        },
      });
      if (asking.status === 'refused') return asking;
      return { status: 'written', draft: asking.value };
    },
  };
}

/** Throws an answer's fault. What leaks is not said: the model has not seen the fix, and the repair must not show it. */
function restated(options: { draft: TaskDraft; instruction: string }): TaskDraft {
  try {
    return restateDraft({ ...options, rung: 'written' });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.reason !== 'leaky-statement') return fail('under-determined', `${error.message}. Say it.`);
    return fail('leaky-statement', 'it gives the repair away, or names a test. Describe the behaviour alone.');
  }
}

/** Throws an answer's fault. */
function assertInformation(options: { statement: string; draft: TaskDraft; information: StatementInformation }): void {
  const { statement, draft, information } = options;
  const { facts } = draft;
  const givesFile = information === 'file' || information === 'function';
  if (statement.includes(facts.file) !== givesFile)
    fail('wrong-information', `the statement must ${givesFile ? '' : 'not '}name ${facts.file}.`);
  const missing = [facts.expected, facts.observed].find(
    (value) => value !== undefined && value.length <= longestQuoted && !squeeze(statement).includes(squeeze(value)),
  );
  if (missing !== undefined) fail('under-determined', `the statement must give this value as it was printed: ${missing}`);
}

/** The agent's file around the bug; nothing where the agent's tree lacks it. */
function agentCode(options: { draft: TaskDraft; maxSourceTokens: number }): string {
  const { draft, maxSourceTokens } = options;
  const { file, line } = draft.facts;
  const text = draft.agentFiles.find(({ path }) => path === file)?.text ?? '';
  return showFile({ file, text: excerptAround({ text, lines: { start: line, end: line }, maxTokens: maxSourceTokens }) });
}

function symptomOf(facts: { expected?: string; observed?: string; error?: string; message?: string }): string {
  if (facts.expected !== undefined && facts.observed !== undefined) return `expected: ${facts.expected}\nseen: ${facts.observed}`;
  return `seen: ${facts.error ?? facts.message ?? 'a failure without a message'}`;
}

/** Failures and the agent's code may hold the gold patch's lines by another way. */
function withoutLines(text: string, goldLines: readonly string[]): string {
  const gold = goldLines.map(squeeze).filter(({ length }) => length >= 12);
  return text
    .split('\n')
    .filter((line) => !gold.some((goldLine) => squeeze(line).includes(goldLine)))
    .join('\n');
}
