import type { AnyTool, OwnedSandbox, ToolCall, Trajectory } from '@tadpole/contracts';
import { TadpoleError } from '@tadpole/contracts';
import type { AtifDocument } from '../atif/atif-document.js';
import { fromAtif } from '../atif/from-atif.js';
import { readAtif } from '../atif/read-atif.js';
import { executeToolCall } from '../loop/execute-tool-call.js';
import type { ToolCallRules } from '../profiles/tool-call-rules.js';
import { type Recording, recordingOfAtif, recordingOfTrajectory } from './recording.js';

/** Where a replay differs from the record: in the answer to a call, or in the patch at the end. */
export type Divergence =
  | {
      readonly type: 'observation';
      /** 0-based. */
      readonly turn: number;
      /** 0-based, in its turn. */
      readonly call: number;
      readonly toolCall: ToolCall;
      readonly expected: string;
      readonly got: string;
    }
  | { readonly type: 'patch'; readonly expected: string; readonly got: string };

/** What a replay found. Everything that was not compared is named. */
export interface ReplayReport {
  /** The first one; the replay ends there. @default none: everything compared was equal */
  readonly divergence?: Divergence;
  /** Answers that were compared and equal. */
  readonly compared: number;
  /** Calls that were not run or not compared, and further things in the record that were not. */
  readonly uncompared: readonly string[];
}

/**
 * Runs the calls of a recorded trajectory again, with no model, in a fresh sandbox, and reports the first answer that
 * differs, and then the patch where all are equal. The tools and rules must be those of the record (its profile).
 * A record from which secrets were taken out diverges where one stood, unless `normalise` takes them out too.
 *
 * @throws TadpoleError `sandbox` when the sandbox fails, `aborted` by the signal, `invalid-input` for a broken document.
 */
export async function replay(options: {
  /** A trajectory, or an ATIF document of this or any other harness. */
  recorded: Trajectory | AtifDocument;
  tools: readonly AnyTool[];
  /** Fresh, with the content that the recorded run began with; stays the caller's. */
  sandbox: OwnedSandbox;
  /** @default leafCallRules */
  callRules?: ToolCallRules;
  /** As the recorded run had it. @default 'keep' */
  binaries?: 'keep' | 'leave-out';
  /** Applied to both sides of every comparison, for what is known to vary (durations, temporary names). @default nothing is changed */
  normalise?: (text: string) => string;
  signal?: AbortSignal;
}): Promise<ReplayReport> {
  const { tools, sandbox, callRules, binaries, normalise = (text: string) => text, signal } = options;
  const recording = recordingOf(options.recorded);
  const uncompared = [...recording.uncompared];
  let compared = 0;
  for (const [turn, calls] of recording.turns.entries()) {
    for (const [call, recorded] of calls.entries()) {
      if (signal?.aborted)
        throw new TadpoleError({ code: 'aborted', message: 'Expected the replay to finish, received the signal to stop.' });
      const { toolCall } = recorded;
      if (recorded.how !== 'compare') uncompared.push(`turn ${turn}, call ${call}: ${recorded.because}`);
      if (recorded.how === 'skip') continue;
      const { content: got } = await executeToolCall({ toolCall, tools, rules: callRules, context: { sandbox, signal } });
      if (recorded.how === 'run') continue;
      const expected = recorded.answer;
      if (normalise(got) !== normalise(expected))
        return { divergence: { type: 'observation', turn, call, toolCall, expected, got }, compared, uncompared };
      compared += 1;
    }
  }
  if (recording.patch === undefined) return { compared, uncompared: [...uncompared, 'the patch: the record holds none'] };
  const got = await sandbox.diff({ binaries, signal });
  if (normalise(got) === normalise(recording.patch)) return { compared, uncompared };
  return { divergence: { type: 'patch', expected: recording.patch, got }, compared, uncompared };
}

function recordingOf(recorded: Trajectory | AtifDocument): Recording {
  if (!('schema_version' in recorded)) return recordingOfTrajectory(recorded);
  const document = readAtif(recorded);
  return document.extra?.tadpole === undefined ? recordingOfAtif(document) : recordingOfTrajectory(fromAtif(document).trajectory);
}
