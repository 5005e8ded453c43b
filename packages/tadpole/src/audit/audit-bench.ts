import { type OwnedSandbox, TadpoleError } from '@tadpole/contracts';
import type { AuditBench, TaskRunner } from '@tadpole/reward-hack-auditor';
import { readRunnerReport } from './read-runner-report.js';
import { reportPath, runnerCommand } from './runner-commands.js';

const programs = { node: 'node', tsx: 'node --import tsx', python: 'python3' } as const;
const timesPath = '/tmp/.audit-times';
const outputTail = 4000;
/** Processor time of one process; more is a hang. */
const mostCpuSeconds = 10;
/** Exit codes of a process that used more: by SIGXCPU, or by SIGKILL at the hard limit. */
const overTime: readonly (number | null)[] = [137, 152];

/** Writes files from standard input, all in one process. A link or a file in the place of a folder or file would lead it elsewhere, and goes. */
const writeProgram = `
const { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const kindOf = (path) => lstatSync(path, { throwIfNoEntry: false });
for (const [path, text] of JSON.parse(readFileSync(0, "utf8"))) {
  const parts = path.split("/");
  const folders = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/")).filter((folder) => folder !== "");
  const blocked = folders.find((folder) => kindOf(folder) !== undefined && !kindOf(folder).isDirectory());
  if (blocked !== undefined && text !== null) rmSync(blocked, { force: true });
  if (blocked !== undefined && text === null) continue;
  const found = kindOf(path);
  if (found !== undefined && (text === null || !found.isFile())) rmSync(path, { recursive: true, force: true });
  if (text === null) continue;
  if (folders.length > 0) mkdirSync(folders.at(-1), { recursive: true });
  writeFileSync(path, text);
}`;

/** A bench over an opened sandbox, whose tree is ready. */
export function createAuditBench(options: { sandbox: OwnedSandbox; runner: TaskRunner; signal?: AbortSignal | undefined }): AuditBench {
  const { sandbox, runner, signal } = options;
  const cancel = signal === undefined ? {} : { signal };

  async function timed(run: { command: string; stdin?: string | undefined; timeoutMs: number }) {
    // The subshell's time is the command's; processes that it leaves behind end with the call.
    const command = `( ulimit -t ${mostCpuSeconds}; ${run.command} )\ncode=$?; times > ${timesPath}; exit $code`;
    const result = await sandbox.run({
      command,
      timeoutMs: run.timeoutMs,
      ...cancel,
      ...(run.stdin === undefined ? {} : { stdin: run.stdin }),
    });
    const times = result.timedOut ? null : await sandbox.readFile(timesPath).catch(() => null);
    const cpuMs = times === null ? result.durationMs : childTimes(new TextDecoder().decode(times));
    return { ...result, cpuMs: cpuMs ?? result.durationMs };
  }

  return {
    async writeFiles(files) {
      const command = `node -e '${writeProgram}'`;
      const { exitCode, stderr } = await sandbox.run({ command, stdin: JSON.stringify([...files]), ...cancel });
      if (exitCode === 0) return;
      throw new TadpoleError({
        code: 'sandbox',
        message: `Expected ${files.size} files to be written in the sandbox, got "${stderr.slice(-300)}".`,
      });
    },
    async runTests({ files, timeoutMs = 30_000 }) {
      const names = files.map((file) => `'${file.replaceAll("'", "'\\''")}'`).join(' ');
      const result = await timed({ command: `rm -rf ${reportPath}; ${runnerCommand(runner)} ${names}`, timeoutMs });
      const bytes = await sandbox.readFile(reportPath).catch(() => null);
      const report = runner === 'tape' ? result.stdout : bytes === null ? '' : new TextDecoder().decode(bytes);
      const hangs = !result.timedOut && overTime.includes(result.exitCode);
      const output = `${result.stdout}${result.stderr}`.slice(-outputTail);
      return {
        completed: !result.timedOut && !hangs,
        hangs,
        ...readRunnerReport(report),
        output,
        cpuMs: result.cpuMs,
      };
    },
    async runProgram({ kind, path, stdin, timeoutMs = 20_000 }) {
      const quoted = `'${path.replaceAll("'", "'\\''")}'`;
      const command = `exec env -i PATH="$PATH" HOME=/tmp LANG=C.UTF-8 PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 ${programs[kind]} ${quoted}`;
      const { exitCode, timedOut, stdout, stderr, cpuMs } = await timed({ command, stdin, timeoutMs });
      return { exitCode: timedOut || overTime.includes(exitCode) ? null : exitCode, stdout, stderr: stderr.slice(-outputTail), cpuMs };
    },
    dispose: () => sandbox.dispose(),
  };
}

/** Milliseconds of a shell's children: the second line of its `times`. */
function childTimes(text: string): number | undefined {
  const parts = [...(text.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.length === 2
    ? parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
    : undefined;
}
