import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditVerdict, Finding, Outcome, TestResult, Trajectory, Turn } from '@tadpole/contracts';
import { readTrajectory } from '../../run/read-trajectory.js';
import type { SelectedRollout } from './select-rollouts.js';

const maxTextCharacters = 8000;
const maxTests = 20;

/** A tool call as the viewer shows it. */
export interface ReportCall {
  readonly name: string;
  /** Named arguments; for malformed ones a single `arguments` with the text as the model wrote it. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly observation: string;
}

/** A trajectory as the viewer shows it: everything is text, long text is cut and says so. */
export interface ReportTrajectory {
  readonly id: string;
  readonly taskId: string;
  readonly sample: number;
  readonly purpose: 'calibration' | 'train' | 'evaluation';
  /** When in the run, for instance an evaluation's label. */
  readonly moment: string;
  readonly outcome: 'solved' | 'not solved' | 'unscored';
  readonly outcomeText: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly opening: readonly { readonly role: string; readonly content: string }[];
  readonly turns: readonly {
    readonly tokens: number;
    readonly reasoning: string;
    readonly content: string;
    readonly calls: readonly ReportCall[];
  }[];
  readonly tests: readonly TestResult[];
  readonly testsText: string;
  readonly patch: string;
  readonly findings: readonly Finding[];
  /** What verification said; empty when nothing was verified. */
  readonly verdict: string;
  /** What the gate did; empty when nothing was found. */
  readonly action: string;
  readonly harnessFingerprint: string;
}

/**
 * Reads a rollout's trajectory for the report; undefined when its file is gone.
 *
 * @throws TadpoleError `invalid-input` when the file is no ATIF document of ours.
 */
export function reportTrajectory(options: { directory: string; selected: SelectedRollout; moment: string }): ReportTrajectory | undefined {
  const { rollout, audit } = options.selected;
  const path = join(options.directory, rollout.trajectory);
  if (!existsSync(path)) return undefined;
  const { trajectory, outcome = rollout.outcome } = readTrajectory(path);
  const tests = outcome.status === 'scored' ? outcome.tests : [];
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return {
    id: trajectory.id,
    taskId: trajectory.taskId,
    sample: rollout.sample,
    purpose: rollout.purpose,
    moment: options.moment,
    outcome: outcome.status === 'unscored' ? 'unscored' : outcome.reward >= 1 ? 'solved' : 'not solved',
    outcomeText: outcomeText(outcome),
    facts: facts({ trajectory, file: rollout.trajectory }),
    opening: trajectory.opening.map(({ role, content }) => ({ role, content: cut(content) })),
    turns: trajectory.turns.map(reportTurn),
    tests: tests
      .filter(({ status }) => status !== 'passed')
      .slice(0, maxTests)
      .map(cutTest),
    testsText: tests.length === 0 ? '' : `${passed} of ${tests.length} named tests passed`,
    patch: cut(trajectory.patch),
    findings:
      audit?.findings.map((finding) => ({ ...finding, evidence: finding.evidence.map((item) => ({ ...item, quote: cut(item.quote) })) })) ??
      [],
    verdict: audit?.verdict === undefined ? '' : verdictText(audit.verdict),
    action: audit?.action ?? '',
    harnessFingerprint: trajectory.harnessFingerprint,
  };
}

function verdictText({ verdict, effective, confidence, checks }: AuditVerdict): string {
  const effect = effective === null ? '' : effective ? ', effective' : ', not effective';
  const said = checks.map(({ check, outcome, detail }) => `${check} ${outcome}: ${detail}`);
  return [`${verdict}${effect} (confidence ${confidence.toFixed(2)})`, ...said.map(cut)].join('\n');
}

function outcomeText(outcome: Outcome): string {
  if (outcome.status === 'unscored') return `unscored: ${outcome.reason} (${outcome.boundary}): ${outcome.detail}`;
  return `reward ${outcome.reward}`;
}

function facts({ trajectory, file }: { trajectory: Trajectory; file: string }): ReportTrajectory['facts'] {
  const { policy, stopReason, error, usage, durationMs, sampling, segments, segmentBreaks } = trajectory;
  const sampled = segments.reduce((sum, { mask }) => sum + mask.filter(Boolean).length, 0);
  return [
    { name: 'policy', value: policy },
    { name: 'ended by', value: error === undefined ? stopReason : `${stopReason}: ${error}` },
    {
      name: 'tokens',
      value: `${usage.completionTokens} generated (${sampled} recorded, ${segmentBreaks} segment breaks), ${usage.promptTokens} read`,
    },
    { name: 'seed', value: String(sampling.seed) },
    { name: 'time', value: `${(durationMs / 1000).toFixed(1)} s` },
    { name: 'file', value: file },
  ];
}

function reportTurn({ assistant, observations, usage }: Turn): ReportTrajectory['turns'][number] {
  const answers = new Map(observations.map(({ toolCallId, content }) => [toolCallId, content]));
  return {
    tokens: usage.completionTokens,
    reasoning: cut(assistant.reasoning ?? ''),
    content: cut(assistant.content),
    calls: assistant.toolCalls.map(({ id, name, arguments: text }) => ({
      name,
      fields: argumentFields(text),
      observation: cut(answers.get(id) ?? ''),
    })),
  };
}

function argumentFields(text: string): ReportCall['fields'] {
  const value = parseObject(text);
  if (value === undefined) return [{ name: 'arguments', value: cut(text) }];
  return Object.entries(value).map(([name, field]) => ({ name, value: cut(typeof field === 'string' ? field : JSON.stringify(field)) }));
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function cutTest(test: TestResult): TestResult {
  const { message, expected, observed } = test;
  return {
    ...test,
    ...(message === undefined ? {} : { message: cut(message) }),
    ...(expected === undefined ? {} : { expected: cut(expected) }),
    ...(observed === undefined ? {} : { observed: cut(observed) }),
  };
}

function cut(text: string): string {
  const left = text.length - maxTextCharacters;
  return left <= 0 ? text : `${text.slice(0, maxTextCharacters)}\n[${left.toLocaleString('en')} more characters in the trajectory's file]`;
}
