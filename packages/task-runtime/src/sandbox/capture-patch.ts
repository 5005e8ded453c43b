import { type SandboxEnvironment, TadpoleError } from '@tadpole/contracts';
import type { RunScript } from './run-script.js';

/** Largest patch that is returned. */
const patchBytes = 67_108_864;

/** Where the runtime's files of a sandbox are mounted inside. */
export interface SandboxPaths {
  readonly workspace: string;
  /** The pristine repository. */
  readonly repository: string;
  /** Paths in the workspace at which something else is mounted, which is no change of it. @default none */
  readonly mounted?: readonly string[];
  /** Folder for the index and objects of the capture, which nothing of the agent's has touched. @default '/tmp' */
  readonly temporary?: string;
}

/** Paths in the workspace at which an environment mounts something else. */
export function mountedInside(environment: SandboxEnvironment, workspacePath: string): readonly string[] {
  return [...(environment.readOnlyMounts ?? []), ...(environment.writableMounts ?? [])]
    .filter(({ target }) => target.startsWith(`${workspacePath}/`))
    .map(({ target }) => target.slice(workspacePath.length + 1));
}

/**
 * The commands that print a workspace's change against its base as a git patch, inside the sandbox.
 *
 * They use the pristine repository that the runtime mounts read-only, an index and an object folder of their own. So nothing of the agent's `.git` (config, hooks, index, filters, history), no `.gitattributes` and
 * no nested repository changes what is captured, and its index stays as it was. New files that the `.gitignore` files of
 * the workspace leave out are left out, as by `git add --all`. Not captured either: empty folders, anything named `.git`.
 */
const script = `
export LC_ALL=C GIT_WORK_TREE="$1" GIT_DIR="$2" GIT_INDEX_FILE="$4/.tadpole-index"
export GIT_OBJECT_DIRECTORY="$4" GIT_ALTERNATE_OBJECT_DIRECTORIES="$2/objects"
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
cd "$1" 2>/dev/null || { chmod u+rwx "$1"; cd "$1" || exit 40; }
if [ -n "$3" ]; then
  cp -R "$2" "$4/.tadpole-git" && export GIT_DIR="$4/.tadpole-git" && echo "$3" >"$GIT_DIR/info/attributes" || exit 41
fi
# With its time: what was changed in the second in which the base was made is told by its content.
cp "$2/index" "$GIT_INDEX_FILE" && touch -r "$2/index" "$GIT_INDEX_FILE" || exit 41
# An unreadable folder or file is no reason to lose the patch, nor is one that git would wait for.
find . -type d ! -perm -u=rx -exec chmod u+rx {} ';'
find . '(' -name .gitignore -o -name .gitattributes ')' ! -type f ! -type d ! -type l -exec rm -f {} +
# Tracked files that are gone, also behind a link, and those that have become something that git cannot hold.
git diff-files -z --name-only --diff-filter=D | git update-index -z --force-remove --stdin || exit 42
find . -name .git -prune -o ! -type f ! -type d ! -type l -print0 | git update-index -z --force-remove --stdin || exit 42
new_files() {
  git ls-files -z --others --exclude-per-directory=.gitignore 2>/dev/null | while IFS= read -r -d '' path; do
    # A nested repository is listed as a folder.
    case $path in
      */) find "./$path" -name .git -prune -o '(' -type f -o -type l ')' -print0 ;;
      *) printf '%s\\0' "$path" ;;
    esac
  done
}
add() { { git ls-files -z; new_files; } | git update-index -z --add --remove --replace --stdin; }
if ! add 2>/dev/null; then
  find . -type f ! -perm -u=r -exec chmod u+r {} +
  rm -f "$GIT_INDEX_FILE.lock"
  add || exit 42
fi
shift 4
exec git diff --cached --binary --full-index --no-color --no-ext-diff --no-textconv --no-renames --src-prefix=a/ --dst-prefix=b/ HEAD -- . "$@"`;

/** Attributes that make git print every file as binary; those of the base print text as text. */
const binaryAttributes = '* -text -eol -ident -filter -working-tree-encoding -diff !merge';

/**
 * The change of a workspace against its base. Printed as text where that survives the conversion to a string, otherwise
 * every file as binary.
 *
 * @throws TadpoleError `invalid-input` when the change is larger than 64 MiB or the temporary folder; callers take that
 * as the agent's failure.
 */
export async function capturePatch(options: {
  runScript: RunScript;
  paths: SandboxPaths;
  /** @default 'keep' */
  binaries?: 'keep' | 'leave-out';
  signal?: AbortSignal;
}): Promise<string> {
  const patch = await capture('');
  const text = patch.toString('utf8');
  const whole = Buffer.from(text, 'utf8').equals(patch) ? text : (await capture(binaryAttributes)).toString('utf8');
  return options.binaries === 'leave-out' ? withoutBinaries(whole) : whole;

  async function capture(attributes: string): Promise<Buffer> {
    const { workspace, repository, temporary = '/tmp', mounted = [] } = options.paths;
    const words = [workspace, repository, attributes, temporary, ...mounted.map((path) => `:(exclude,top,literal)${path}`)];
    const result = await options.runScript({ shell: 'bash', script, arguments: words, headBytes: patchBytes, signal: options.signal });
    if (result.exitCode === 0 && !result.truncated) return result.stdout;
    const why = result.truncated ? `more than ${patchBytes} bytes` : `exit ${result.exitCode}: ${result.stderr.trim().slice(-300)}`;
    throw new TadpoleError({ code: 'invalid-input', message: `expected a change that fits into a patch, got ${why}` });
  }
}

/** A patch without the files that git prints as binary. No line of a binary patch and none inside a hunk begins like a file. */
function withoutBinaries(patch: string): string {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((file) => !/^GIT binary patch$/m.test(file))
    .join('');
}
