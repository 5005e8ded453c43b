import { setImmediate } from 'node:timers/promises';
import type { Candidate, Generator, Snapshot } from '@tadpole/contracts';
import type { CandidateSource } from '../calibrate/candidate-source.js';
import type { CalibrationCandidate } from '../calibrate/measurement.js';
import { normalisePatch, patchKey } from '../duplicates/normalise-patch.js';
import { type CandidateFacts, createFactReader } from '../generator/candidate-facts.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { readTrees } from '../validate/candidate-trees.js';
import type { TaskDraft } from '../validate/task-draft.js';
import { createBoundaryPatience } from './attempt-candidate.js';
import { refuseEvent, validateEvent } from './candidate-event.js';
import type { IntakeGate } from './intake-gate.js';
import type { OfferedTask } from './offered-task.js';
import type { Refiner } from './refiner.js';
import type { SourceEvent } from './synthesis-event.js';
import type { SynthesisValidation } from './synthesis-validation.js';
import { countSourceLines, taskFeatures } from './task-features.js';
import { validatedStream } from './validated-stream.js';

/** A strategy that has so many candidates in a row that cannot be offered is not asked again. */
const patience = 500;

/** Candidates of generators and of refinement moves, each a strategy. */
export interface DraftSource extends CandidateSource<SourceEvent> {
  /** Ends what runs ahead. */
  close(): Promise<void>;
}

/** A validated candidate that may be offered. */
export interface ReadyTask {
  readonly snapshot: Snapshot;
  readonly candidate: Candidate;
  readonly draft: TaskDraft;
  readonly strategy: string;
  readonly parents: readonly OfferedTask[];
}

/**
 * Asks generators and moves for candidates, validates them, and offers those that nothing speaks against. What was offered is
 * added to `offered`.
 */
export function createDraftSource(options: {
  snapshots: readonly Snapshot[];
  generators: readonly Generator[];
  refiner: Refiner;
  validation: SynthesisValidation;
  gate: IntakeGate;
  offered: Map<string, OfferedTask>;
  /** Asked after every candidate that is not offered. */
  isSpent: () => boolean;
  seed: number | string;
  signal: AbortSignal;
}): DraftSource {
  const { snapshots, generators, refiner, gate, offered, isSpent, signal } = options;
  const checkBoundary = createBoundaryPatience({ failures: 3 });
  const streams = new Map(generators.map((generator) => [generator.name, validatedStream({ ...options, generator })]));
  const ended = new Set<string>();
  const [seen, patches] = [new Set<string>(), new Set<string>()];
  const readFacts = createFactReader();
  const linesOf = new Map<string, number>();

  return {
    strategies: [...streams.keys(), ...refiner.moves],
    repositories: [...new Set(snapshots.map(({ source }) => source))],
    isReady: (strategy) => (streams.has(strategy) ? !ended.has(strategy) : gate.takesRefined() && refiner.isReady(strategy)),
    async *next({ strategy }) {
      const stream = streams.get(strategy);
      const ready = stream === undefined ? refiner.refine(strategy) : fromStream(strategy, stream);
      let misses = 0;
      try {
        for (let step = await ready.next(); step.done !== true; step = await ready.next()) {
          // Timers and signals get their turn also where everything resolves at once.
          await setImmediate();
          throwIfAborted(signal, 'Synthesis');
          if ('type' in step.value) yield step.value;
          else {
            const candidate = yield* offer(step.value);
            if (candidate !== null) return candidate;
          }
          misses += 1;
          if (isSpent()) return null;
          if (misses >= patience) break;
        }
      } finally {
        if (stream === undefined) await ready.return(undefined);
      }
      ended.add(strategy);
      return null;
    },
    async close() {
      await Promise.all([...streams.values()].map((stream) => stream.return(undefined)));
    },
  };

  async function* fromStream(
    strategy: string,
    stream: ReturnType<typeof validatedStream>,
  ): AsyncGenerator<SourceEvent | ReadyTask, undefined> {
    for (let step = await stream.next(); step.done !== true; step = await stream.next()) {
      const { snapshot, candidate, candidateId, verdict } = step.value;
      checkBoundary(verdict);
      if (verdict.status === 'valid') yield { snapshot, candidate, draft: verdict.draft, strategy, parents: [] };
      else yield refuseEvent({ strategy, candidate, snapshot, candidateId, verdict });
    }
  }

  /** Offers a task to the calibrator, or says why not. */
  async function* offer(task: ReadyTask): AsyncGenerator<SourceEvent, CalibrationCandidate | null> {
    const { snapshot, candidate, draft, strategy, parents } = task;
    const { source } = snapshot;
    const taskId = draft.data.id;
    if (seen.has(taskId) || offered.has(taskId)) return null;
    seen.add(taskId);
    const from = parents.map((parent) => parent.draft.data.id);
    yield validateEvent({ draft, strategy, parents: from });
    const facts = parents.length === 1 && parents[0]?.draft.goldPatch === draft.goldPatch ? parents[0].facts : await factsOf(task);
    const steps = parents.length === 0 ? 0 : Math.max(...parents.map((parent) => parent.steps)) + 1;
    const objection = repeats(task) ?? gate.objection({ draft, facts, steps });
    if (objection !== null) {
      yield { type: 'candidate-discard', taskId, strategy, source, ...objection };
      return null;
    }
    const features = taskFeatures({ draft, facts, repositoryLines: await repositoryLines(snapshot) });
    const calibration = { id: taskId, strategy, repository: source, features };
    offered.set(taskId, { snapshot, candidate, draft, facts, calibration, parents: from, steps, mostTurns: 0, isRefined: false });
    for (const parent of parents) parent.isRefined = true;
    return calibration;
  }

  /** A fresh task whose fix was offered before. */
  function repeats({ draft, parents }: ReadyTask) {
    if (parents.length > 0) return null;
    const key = patchKey(normalisePatch(draft.goldPatch)) ?? draft.goldPatch;
    if (patches.has(key)) return { reason: 'duplicate', detail: 'patch: the same fix was offered before in this iteration' } as const;
    patches.add(key);
    return null;
  }

  async function factsOf({ snapshot, candidate }: ReadyTask): Promise<CandidateFacts> {
    const files = await readTrees({ snapshot, candidate });
    return readFacts({ candidate, texts: Object.fromEntries(files.map((file) => [file.path, file.snapshot])) });
  }

  async function repositoryLines(snapshot: Snapshot): Promise<number> {
    const lines = linesOf.get(snapshot.hash) ?? (await countSourceLines(snapshot));
    linesOf.set(snapshot.hash, lines);
    return lines;
  }
}
