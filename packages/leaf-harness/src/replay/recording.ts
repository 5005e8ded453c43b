import type { ToolCall, Trajectory } from '@tadpole/contracts';
import { argumentsText } from '../atif/arguments-text.js';
import { type AtifContent, contentText } from '../atif/atif-content.js';
import type { AtifDocument, AtifStep } from '../atif/atif-document.js';

/** A call and what a replay does with it: run and compare it, run it alone, or leave it out. */
export type RecordedCall = { readonly toolCall: ToolCall } & (
  | { readonly how: 'compare'; readonly answer: string }
  | { readonly how: 'run'; readonly because: string }
  | { readonly how: 'skip'; readonly because: string }
);

/** What a replay needs of a record: the calls of each turn. */
export interface Recording {
  readonly turns: readonly (readonly RecordedCall[])[];
  /** Absent where the record holds none. */
  readonly patch?: string;
  /** What stands in the record and cannot be replayed. */
  readonly uncompared: readonly string[];
}

/** The calls of a trajectory. Those that its end cut off are not run again. */
export function recordingOfTrajectory({ turns, stopReason, patch }: Trajectory): Recording {
  const cut = [`Not executed: the run ended (${stopReason}).`, `Not finished: the run ended (${stopReason}).`];
  return {
    turns: turns.map(({ assistant, observations }, index) =>
      assistant.toolCalls.map((toolCall, call): RecordedCall => {
        const answer = observations[call]?.content;
        if (answer === undefined) return { toolCall, how: 'run', because: 'the record holds no answer' };
        const isCut = index === turns.length - 1 && cut.includes(answer);
        return isCut ? { toolCall, how: 'skip', because: answer } : { toolCall, how: 'compare', answer };
      }),
    ),
    ...(stopReason === 'cancelled' ? {} : { patch }),
    uncompared: [],
  };
}

/** The calls of another harness's document. Steps that repeat an earlier context are not run again. */
export function recordingOfAtif({ steps }: AtifDocument): Recording {
  const uncompared: string[] = [];
  const turns = steps.flatMap((step) => {
    const results = step.observation?.results ?? [];
    const loose = results.filter(({ source_call_id: id }) => id === undefined || id === null).length;
    if (loose > 0) uncompared.push(`step ${step.step_id}: ${loose} observations that name no call`);
    if (step.source !== 'agent') return [];
    if (step.is_copied_context === true) {
      uncompared.push(`step ${step.step_id}: copied context`);
      return [];
    }
    return [(step.tool_calls ?? []).map((call) => recordedCall(step, call))];
  });
  return { turns, uncompared };
}

function recordedCall(step: AtifStep, call: NonNullable<AtifStep['tool_calls']>[number]): RecordedCall {
  const toolCall = { id: call.tool_call_id, name: call.function_name, arguments: argumentsText(call, step) };
  const results = (step.observation?.results ?? []).filter(({ source_call_id: id }) => id === call.tool_call_id);
  const contents = results.map(({ content }) => content ?? '');
  if (contents.length === 0) return { toolCall, how: 'run', because: 'the record holds no answer' };
  if (hasMedia(contents)) return { toolCall, how: 'run', because: 'the answer is not text' };
  return { toolCall, how: 'compare', answer: contents.map(contentText).join('') };
}

function hasMedia(contents: readonly AtifContent[]): boolean {
  return contents.some((content) => typeof content !== 'string' && content.some(({ type }) => type !== 'text'));
}
