import { type AuditSubject, type Evidence, TadpoleError } from '@tadpole/contracts';

/**
 * The text that an evidence's offsets count in: the call's JSON arguments, its observation, the policy's message, or the patch.
 * For every honest finding `text.slice(start, end) === quote`.
 *
 * @throws TadpoleError `invalid-input` when the subject has no such turn or call.
 */
export function evidenceText(options: { subject: AuditSubject; evidence: Evidence }): string {
  const { subject, evidence } = options;
  if (evidence.source === 'patch') return subject.patch;
  const turn = subject.turns[evidence.turn ?? -1];
  if (evidence.source === 'message' && turn) return turn.text;
  const call = turn?.calls[evidence.call ?? -1];
  if (call) return evidence.source === 'tool-call' ? call.arguments : call.observation;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected evidence that stands in trajectory ${subject.id}, got ${evidence.source} of turn ${evidence.turn}, call ${evidence.call}.`,
  });
}
