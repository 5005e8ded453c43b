import type { TestResult } from './outcome.js';
import type { GeneratedLineage, TestRunner } from './task.js';

/** A repository at one state whose own tests were seen to pass. */
export interface Snapshot {
  /** `name@version`, or a repository and commit. */
  readonly source: string;
  /** SPDX expression, as the source declares it. */
  readonly licence: string;
  /** Folder with the sources, its tests, and nothing that was built from them. */
  readonly directory: string;
  /** sha256 over paths and contents. */
  readonly hash: string;
  readonly runner: TestRunner;
  /** Files that a generator may change, relative. */
  readonly sourceFiles: readonly string[];
  readonly testFiles: readonly string[];
  /** Files and folders that only the grader sees: tests, their helpers and fixtures. */
  readonly hiddenPaths: readonly string[];
  readonly dependencies: readonly { readonly name: string; readonly version: string }[];
  /** The runner's own configuration, relative, for tests that do not run without it. @default none is read */
  readonly configFile?: string | undefined;
  /** Results of the untouched suite; a test that did not pass in every run is not among them. */
  readonly baseline: readonly TestResult[];
}

/** Replaces characters [start, end) (UTF-16 offsets) of a file by `text`. */
export interface SpanEdit {
  /** Relative to the snapshot's folder. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Writes a whole file, or removes it (`content` is `null`); its folders are made. */
export interface FileEdit {
  /** Relative to the snapshot's folder. */
  readonly file: string;
  readonly content: string | null;
}

/** One change of a tree. Of one file there are several {@link SpanEdit}s or one {@link FileEdit}. */
export type TreeEdit = SpanEdit | FileEdit;

/**
 * A proposed task: two trees, both made from the snapshot. For a bug that is put in, `edits` alone: the snapshot is the
 * solution, and undoing the edits is the gold patch. For work that the snapshot lacks, `solution` alone, with `hiddenTests`
 * that show it: the agent gets the snapshot as it is.
 */
export interface Candidate {
  /** The agent's tree. Without overlap; offsets are those of the untouched file. May be empty where there is a `solution`. */
  readonly edits: readonly TreeEdit[];
  /** The solved tree. @default none: the snapshot itself */
  readonly solution?: readonly TreeEdit[];
  /** Test files for the grader alone, beside the snapshot's or in the place of one. @default none */
  readonly hiddenTests?: readonly { readonly file: string; readonly content: string }[];
  /**
   * Fail-to-pass tests of each bug, where several are put in at once: the statement then tells a failure of every one of them.
   * @default one bug
   */
  readonly partTests?: readonly (readonly string[])[];
  /** What the agent is asked to do. @default written from what the failing tests printed */
  readonly statement?: string;
  readonly lineage: Pick<GeneratedLineage, 'generator' | 'operator' | 'file' | 'line' | 'taskType' | 'parts'>;
}

/** Proposes candidates, procedurally or with a model. */
export interface Generator {
  readonly name: string;
  /** Yields candidates until it has no more or the caller stops; the same snapshot and `random` give the same ones. */
  propose(options: {
    snapshot: Snapshot;
    /** Uniform in [0, 1). */
    random: () => number;
    signal?: AbortSignal;
  }): AsyncIterable<Candidate>;
}
