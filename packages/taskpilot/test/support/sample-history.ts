import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeProject } from './sample-project.js';

/** Words that a commit carries and a candidate must not. */
export const commitAuthor = 'Ada Example';
export const commitMessage = 'fix: closes #4711';

/** Files to write (`null` removes one), as one commit. */
export type Changes = Readonly<Record<string, string | Buffer | null>>;

/** A commit: its changes, or with where it stands in the history. */
export interface Step {
  readonly changes: Changes;
  /** @default 'main' */
  readonly branch?: string;
  /** A branch that it merges. */
  readonly merge?: string;
}

/** A real repository in a temporary folder, checked out. */
export interface SampleHistory {
  readonly directory: string;
  /** Runs git in it and returns what it said. */
  git(...words: string[]): string;
  /** Adds a commit to a branch, and its files to the folder. */
  commit(changes: Changes): void;
}

/** Makes a repository whose commits, a day apart from 2023-11-14T22:13:20Z on, are the steps. */
export function createSampleHistory(options: { steps: readonly (Changes | Step)[]; initFlags?: readonly string[] }): SampleHistory {
  const directory = writeProject({});
  let days = 0;
  const run = (words: readonly string[], input?: Buffer) =>
    execFileSync('git', words, {
      cwd: directory,
      input,
      encoding: 'utf8',
      env: {
        ...{ PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_AUTHOR_NAME: commitAuthor, GIT_AUTHOR_EMAIL: 'ada@example.org' },
        ...{ GIT_COMMITTER_NAME: commitAuthor, GIT_COMMITTER_EMAIL: 'ada@example.org' },
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim();
  const tips = new Map<string, string>();
  const add = (steps: readonly (Changes | Step)[]) => {
    const stream = steps.map((step) => {
      const whole: Step = 'changes' in step && typeof step.changes === 'object' ? (step as Step) : { changes: step as Changes };
      writeFiles({ directory, changes: whole.changes });
      const { branch = 'main', merge } = whole;
      const parents = [tips.get(branch) ?? tips.get('main'), tips.get(merge ?? '')].filter((parent) => parent !== undefined);
      const mark = `:${++days}`;
      tips.set(branch, mark);
      return importCommit({ changes: whole.changes, branch, parents, mark, seconds: 1_700_000_000 + 86_400 * (days - 1) });
    });
    run(['fast-import', '--quiet', '--force'], Buffer.concat(stream));
    // Marks end with their stream.
    for (const branch of tips.keys()) tips.set(branch, `refs/heads/${branch}^0`);
  };
  run(['init', '--quiet', '--template=', '--initial-branch=main', ...(options.initFlags ?? [])]);
  add(options.steps);
  return { directory, git: (...words) => run(words), commit: (changes) => add([changes]) };
}

function writeFiles({ directory, changes }: { directory: string; changes: Changes }): void {
  for (const [path, content] of Object.entries(changes)) {
    rmSync(join(directory, path), { force: true });
    if (content === null) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

/** A commit in the format of git fast-import. */
function importCommit(options: {
  changes: Changes;
  branch: string;
  /** The first, and one that is merged. */
  parents: readonly string[];
  mark: string;
  seconds: number;
}): Buffer {
  const { changes, branch, parents, mark, seconds } = options;
  const person = `${commitAuthor} <ada@example.org> ${seconds} +0000`;
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content as string);
    return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
  };
  return Buffer.concat([
    Buffer.from(`commit refs/heads/${branch}\nmark ${mark}\nauthor ${person}\ncommitter ${person}\n`),
    data(commitMessage),
    Buffer.from(parents.map((parent, index) => `${index === 0 ? 'from' : 'merge'} ${parent}\n`).join('')),
    ...Object.entries(changes).map(([path, content]) =>
      content === null ? Buffer.from(`D ${path}\n`) : Buffer.concat([Buffer.from(`M 100644 inline ${path}\n`), data(content)]),
    ),
  ]);
}
