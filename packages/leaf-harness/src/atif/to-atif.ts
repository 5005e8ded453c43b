import {
  type Message,
  type Outcome,
  TadpoleError,
  type ToolCall,
  type ToolDefinition,
  type Trajectory,
  type Turn,
} from '@tadpole/contracts';
import { parseArguments } from '../profiles/parse-arguments.js';
import { createRedactor, type Redactor } from '../secrets/create-redactor.js';
import { redactTrajectory } from '../secrets/redact-trajectory.js';
import { redactValue } from '../secrets/redact-value.js';
import { leafHarnessVersion } from '../version.js';
import type { AtifDocument, AtifStep } from './atif-document.js';
import { documentExtraSchema } from './atif-extra.js';
import { parseAtif } from './parse-atif.js';
import { atifVersion } from './read-atif.js';

/**
 * A trajectory as an ATIF 1.8 document (formats.md section 3.2), ours in `extra.tadpole`; `fromAtif` gives it back
 * unchanged, but for secrets, which never reach the document (`redactTrajectory`). Arguments that are not the JSON text
 * of an object of at most 100 levels stand as `{}` beside their raw text.
 *
 * @throws TadpoleError `invalid-input` for an opening with other messages than the system's and the user's, for an empty
 *   trajectory, for observations that do not answer their turn's calls, and for numbers that no document holds.
 */
export function toAtif(
  given: Trajectory,
  options: {
    /** How it was graded. */
    outcome?: Outcome;
    /** What the model could call. */
    tools?: readonly ToolDefinition[];
    /** Takes secrets out. @default createRedactor(): keys of known forms */
    redactor?: Redactor;
  } = {},
): AtifDocument {
  const { redactor = createRedactor() } = options;
  const trajectory = redactTrajectory(given, { redactor });
  const outcome = redactValue(options.outcome, { redactor }).value;
  const { id, opening, turns, usage, ...rest } = trajectory;
  const steps = [
    ...opening.map((message, index) => openingStep(message, index + 1)),
    ...turns.map((turn, index) => turnStep(turn, opening.length + index + 1)),
  ];
  if (steps.length === 0)
    throw new TadpoleError({ code: 'invalid-input', message: 'toAtif: expected at least one message or turn, received none.' });
  return {
    schema_version: atifVersion,
    trajectory_id: id,
    agent: {
      name: 'leaf',
      version: leafHarnessVersion,
      model_name: rest.policy,
      ...(options.tools === undefined ? {} : { tool_definitions: options.tools.map((tool) => ({ type: 'function', function: tool })) }),
    },
    steps,
    final_metrics: {
      total_prompt_tokens: usage.promptTokens,
      total_completion_tokens: usage.completionTokens,
      ...(usage.costUsd === undefined ? {} : { total_cost_usd: usage.costUsd }),
      total_steps: steps.length,
    },
    extra: {
      tadpole: parseAtif(documentExtraSchema, { ...rest, usage, ...(outcome === undefined ? {} : { outcome }) }, 'extra.tadpole'),
    },
  };
}

function openingStep(message: Message, stepId: number): AtifStep {
  if (message.role === 'system' || message.role === 'user') return { step_id: stepId, source: message.role, message: message.content };
  throw new TadpoleError({
    code: 'invalid-input',
    message: `toAtif: expected system and user messages before the first turn, received one of the role ${message.role}.`,
  });
}

function turnStep({ assistant, observations, usage, durationMs }: Turn, stepId: number): AtifStep {
  const ids = assistant.toolCalls.map(({ id }) => id);
  if (observations.map(({ toolCallId }) => toolCallId).join('\n') !== ids.join('\n') || new Set(ids).size < ids.length) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: 'toAtif: expected one observation for every tool call of a turn, in order, and every id once, received others.',
    });
  }
  return {
    step_id: stepId,
    source: 'agent',
    message: assistant.content,
    ...(assistant.reasoning === undefined ? {} : { reasoning_content: assistant.reasoning }),
    ...(assistant.toolCalls.length === 0
      ? {}
      : {
          tool_calls: assistant.toolCalls.map(atifCall),
          observation: { results: observations.map(({ toolCallId, content }) => ({ source_call_id: toolCallId, content })) },
        }),
    metrics: {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      ...(usage.costUsd === undefined ? {} : { cost_usd: usage.costUsd }),
    },
    extra: { tadpole: { durationMs, ...(usage.isEstimated ? { isEstimated: true } : {}) } },
  };
}

function atifCall(call: ToolCall): NonNullable<AtifStep['tool_calls']>[number] {
  const base = { tool_call_id: call.id, function_name: call.name };
  const parsed = parseObject(call);
  return parsed !== undefined && JSON.stringify(parsed) === call.arguments
    ? { ...base, arguments: parsed }
    : { ...base, arguments: parsed ?? {}, extra: { tadpole: { arguments: call.arguments } } };
}

/** The arguments object, without a member `__proto__`, which readers of the document drop. */
function parseObject(call: ToolCall): Record<string, unknown> | undefined {
  try {
    const value = parseArguments(call);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
  } catch {
    return undefined;
  }
}
