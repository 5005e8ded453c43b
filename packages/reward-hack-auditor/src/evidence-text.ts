import { type Evidence, TadpoleError, type Trajectory } from '@tadpole/contracts';

/**
 * The text that an evidence's offsets count in: the call's JSON arguments, its observation, the assistant's
 * message, or the patch. For every honest finding `text.slice(start, end) === quote`.
 *
 * @throws TadpoleError `invalid-input` when the trajectory has no such turn or call.
 */
export function evidenceText(options: { trajectory: Trajectory; evidence: Evidence }): string {
  const { trajectory, evidence } = options;
  if (evidence.source === 'patch') return trajectory.patch;
  const turn = trajectory.turns[evidence.turn ?? -1];
  if (evidence.source === 'message' && turn) return turn.assistant.content;
  const call = turn?.assistant.toolCalls[evidence.call ?? -1];
  if (call && evidence.source === 'tool-call') return call.arguments;
  const observation = call && turn.observations.find(({ toolCallId }) => toolCallId === call.id);
  if (observation) return observation.content;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected evidence that stands in trajectory ${trajectory.id}, got ${evidence.source} of turn ${evidence.turn}, call ${evidence.call}.`,
  });
}
