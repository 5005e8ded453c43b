import { distinctiveLines } from './distinctive-lines.js';
import type { EnvironmentProbe } from './exposure.js';
import { runScript } from './run-script.js';

/** A probe that is one script and needs nothing of the task. */
function scriptProbe(options: Pick<EnvironmentProbe, 'id' | 'kinds'> & { script: string }): EnvironmentProbe {
  const { script, ...probe } = options;
  return { ...probe, find: ({ sandbox, signal }) => runScript({ sandbox, script, signal }) };
}

const history = scriptProbe({
  ...{ id: 'future-history', kinds: ['A1', 'A2'] },
  script: `git rev-parse --git-dir >/dev/null 2>&1 || exit 0
git for-each-ref --format='%(refname)' | while read -r ref; do
  git merge-base --is-ancestor "$ref" HEAD 2>/dev/null || echo "reference $ref is no ancestor of the checked-out commit"
done
git remote | sed 's/^/remote /'
git fsck --unreachable --no-reflogs 2>/dev/null | grep -E '^unreachable (commit|tag)' | head -n 20
git reflog --all --format='%H' 2>/dev/null | sort -u | while read -r commit; do
  git merge-base --is-ancestor "$commit" HEAD 2>/dev/null || echo "reflog $commit"
done`,
});

/** A line of an answer may be an ordinary one elsewhere; of many lines two in one file are not. */
const manyLines = 6;

const answers: EnvironmentProbe = {
  ...{ id: 'answer-text', kinds: ['A3', 'A7'] },
  async find({ sandbox, task, signal }) {
    const lines = distinctiveLines(task);
    if (lines.length === 0) return [];
    const script = `patterns=$(mktemp /tmp/.audit-XXXXXX) && cat >"$patterns"
find / /usr/local /usr/lib/node_modules /usr/lib/python3/dist-packages \\( -path /proc -o -path /sys -o -path /dev -o -path /usr \\) -prune -o -type f -readable -size -8192k ! -path "$patterns" -print0 2>/dev/null |
  LC_ALL=C xargs -0 -r grep -cF -f "$patterns" -- /dev/null 2>/dev/null | sed -nE "s/:$COUNTS$//p" | head -n 20
rm -f "$patterns"`;
    const env = { COUNTS: lines.length >= manyLines ? '([2-9]|[1-9][0-9]+)' : '[1-9][0-9]*' };
    const files = await runScript({ sandbox, script, env, stdin: `${lines.join('\n')}\n`, signal });
    return files.map((file) => `${file} holds lines of the answer`);
  },
};

const upstream: EnvironmentProbe = {
  ...{ id: 'upstream-copy', kinds: ['A6', 'A5'] },
  async find({ sandbox, task, signal }) {
    const found: string[] = [];
    for (const name of task.projectNames ?? []) {
      const python = name.replaceAll('-', '_').toLowerCase();
      const script = `workspace=$(pwd -P)
find / /usr/local /usr/lib/node_modules /usr/lib/python3 \\( -path /proc -o -path /sys -o -path /dev -o -path /usr -o -path "$workspace" \\) -prune -o \\( -path "*/node_modules/$NAME/package.json" -o -path "*/*-packages/$PYTHON/__init__.py" -o -ipath "*/*-packages/$PYTHON-*.dist-info/METADATA" -o -ipath "*/$PYTHON-[0-9]*.whl" -o -ipath "*/$NAME-[0-9]*.tgz" -o -ipath "*/$NAME-[0-9]*.tar.gz" \\) -print 2>/dev/null | head -n 20
grep -rlF -- "$NAME" "$HOME/.npm/_cacache/index-v5" "$HOME/.cache/pip" 2>/dev/null | head -n 5`;
      found.push(...(await runScript({ sandbox, script, env: { NAME: name, PYTHON: python }, signal })));
    }
    return found;
  },
};

// Addresses of documentation (RFC 5737) are never answered; the others are a public resolver, a cloud's metadata and the gateway.
const network = scriptProbe({
  ...{ id: 'network', kinds: ['A5', 'H1'] },
  script: `gateway=$(ip route 2>/dev/null | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p' | head -n 1)
for target in 1.1.1.1/53 1.1.1.1/443 169.254.169.254/80 \${gateway:+$gateway/80}; do
  timeout 2 bash -c "exec 3<>/dev/tcp/$target" 2>/dev/null && echo "connected to $target"
done
ls /sys/class/net 2>/dev/null | grep -vx lo | sed 's/^/interface /'`,
});

const tooling = scriptProbe({
  ...{ id: 'writable-tooling', kinds: ['F1', 'C4', 'C5'] },
  script: `workspace=$(pwd -P)
{ echo "$PATH" | tr ':' '\\n'; for tool in node python3 pytest npm git bash; do command -v "$tool" && readlink -f "$(command -v "$tool")"; done
python3 -c 'import sys; print("\\n".join(sys.path))' 2>/dev/null
node -p 'require("node:module").globalPaths.join("\\n")' 2>/dev/null; echo /node_modules; } 2>/dev/null |
  sort -u | while read -r place; do
  case "$place" in "" | "$workspace" | "$workspace"/*) continue ;; esac
  [ -e "$place" ] && [ -w "$place" ] && echo "$place can be written"
done`,
});

const reporter = scriptProbe({
  ...{ id: 'writable-reporter', kinds: ['F2', 'A3'] },
  script: `for place in /logs /logs/verifier /tests /solution /oracle /eval /opt/eval /grader; do
  [ -e "$place" ] && [ -w "$place" ] && echo "$place can be written"
  [ -e "$place" ] && [ -r "$place" ] && [ -n "$(ls -A "$place" 2>/dev/null)" ] && echo "$place can be read"
done`,
});

const secrets = scriptProbe({
  ...{ id: 'secrets', kinds: ['H1'] },
  script: `env | sed 's/=.*//' | grep -iE '(key|token|secret|passw|credential)' | sed 's/^/variable /'
for file in "$HOME/.netrc" "$HOME/.npmrc" "$HOME/.pypirc" "$HOME/.git-credentials" "$HOME/.aws/credentials" "$HOME/.ssh" "$HOME/.config/gh" /run/secrets /root/.ssh /root/.netrc; do
  [ -r "$file" ] && [ -s "$file" ] && echo "$file can be read"
done`,
});

const processes = scriptProbe({
  ...{ id: 'other-processes', kinds: ['A4'] },
  script: `for process in /proc/[0-9]*; do
  [ -r "$process/environ" ] && [ "$(stat -c %u "$process" 2>/dev/null)" != "$(id -u)" ] && echo "$process of another user can be read"
done
tr '\\0' ' ' </proc/1/cmdline 2>/dev/null | grep -qE '^(/usr)?(/lib/systemd|/sbin/init)' && echo "the machine's first process is visible"`,
});

/** All probes, from quick to slow. */
export const environmentProbes: readonly EnvironmentProbe[] = [
  ...[history, secrets, reporter, tooling, processes, network],
  ...[upstream, answers],
];
