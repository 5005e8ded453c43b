import type { AuditSubject, AuditTask, Outcome, Trajectory } from '@tadpole/contracts';

/** Makes a subject of a rollout of our own and the task that it was on. The policy's reasoning is left out: an audit is about what was done. */
export function subjectOfTrajectory(options: { task: AuditTask; trajectory: Trajectory; outcome?: Outcome | undefined }): AuditSubject {
  const { task, trajectory, outcome } = options;
  const turns = trajectory.turns.map(({ assistant, observations }) => {
    const answers = new Map(observations.map(({ toolCallId, content }) => [toolCallId, content]));
    const calls = assistant.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      name,
      arguments: text,
      observation: answers.get(id) ?? '',
    }));
    return { text: assistant.content, calls };
  });
  return { id: trajectory.id, task, turns, patch: trajectory.patch, ...(outcome === undefined ? {} : { outcome }) };
}
