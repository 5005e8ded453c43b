import { type Outcome, TadpoleError, type Trajectory, trajectorySchema } from '@tadpole/contracts';
import { argumentsText } from './arguments-text.js';
import type { AtifDocument, AtifStep } from './atif-document.js';
import { documentExtraSchema, stepExtraSchema } from './atif-extra.js';
import { parseAtif } from './parse-atif.js';
import { readAtif } from './read-atif.js';

/**
 * The trajectory and the outcome that `toAtif` wrote.
 *
 * @throws TadpoleError `invalid-input` for a document that is not ATIF 1.x or whose parts contradict each other;
 *   `unsupported` for one without `extra.tadpole`: another harness's document does not say what a trajectory needs.
 */
export function fromAtif(document: unknown): { trajectory: Trajectory; outcome?: Outcome } {
  const parsed = readAtif(document);
  if (parsed.extra?.tadpole === undefined) {
    throw new TadpoleError({
      code: 'unsupported',
      message: `fromAtif: expected extra.tadpole, received a document of ${parsed.agent.name} without it. Read another harness's document with readAtif; replay takes it as it is.`,
    });
  }
  const { outcome, ...extra } = parseAtif(documentExtraSchema, parsed.extra.tadpole, 'extra.tadpole');
  const trajectory = parseAtif(
    trajectorySchema,
    {
      id: parsed.trajectory_id,
      ...extra,
      opening: parsed.steps.flatMap((step) => (step.source === 'agent' ? [] : [{ role: step.source, content: step.message }])),
      turns: agentSteps(parsed).map(turnOf),
    },
    'trajectory',
  );
  return outcome === undefined ? { trajectory } : { trajectory, outcome };
}

function agentSteps({ steps }: AtifDocument): AtifStep[] {
  const first = steps.findIndex(({ source }) => source === 'agent');
  const agent = first === -1 ? [] : steps.slice(first);
  const other = agent.find(({ source }) => source !== 'agent');
  if (other === undefined) return agent;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `fromAtif: expected agent steps after the first one, received step ${other.step_id} of the source ${other.source}.`,
  });
}

function turnOf(step: AtifStep): unknown {
  const calls = step.tool_calls ?? [];
  const { durationMs, isEstimated } = parseAtif(stepExtraSchema, step.extra?.tadpole, `step ${step.step_id}`);
  return {
    assistant: {
      role: 'assistant',
      content: step.message,
      ...(step.reasoning_content === undefined ? {} : { reasoning: step.reasoning_content }),
      toolCalls: calls.map((call) => ({
        id: call.tool_call_id,
        name: call.function_name,
        arguments: argumentsText(call, step),
      })),
    },
    observations: (step.observation?.results ?? []).map((result) => ({
      role: 'tool',
      toolCallId: result.source_call_id,
      content: result.content,
    })),
    usage: {
      promptTokens: step.metrics?.prompt_tokens,
      completionTokens: step.metrics?.completion_tokens,
      ...(step.metrics?.cost_usd === undefined ? {} : { costUsd: step.metrics.cost_usd }),
      ...(isEstimated === undefined ? {} : { isEstimated }),
    },
    durationMs,
  };
}
