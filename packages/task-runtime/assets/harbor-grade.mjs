// Grades the workspace of a Harbor container: runs the named test files in one process, reads its authenticated report
// and writes the reward. Without a report of a run that began, no reward is written: that is a failure of the verifier.
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [logs = '/logs/verifier', modules = '/node_modules'] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const verifier = JSON.parse(readFileSync(join(here, '../verifier.json'), 'utf8'));
const { environment, runners } = JSON.parse(readFileSync(join(here, 'runners.json'), 'utf8'));
const [program, ...words] = runners[verifier.runner].command;

const path = join(mkdtempSync(join(tmpdir(), 'reports-')), randomBytes(16).toString('hex'));
const key = randomBytes(32).toString('hex');
// The runner removes this file before it loads the first test; whoever does not know the secret cannot bring it back.
const secret = randomBytes(32).toString('hex');
const pending = `${path}.pending`;
writeFileSync(pending, secret);
const channel = {
  path,
  key,
  workspace: verifier.workspace,
  files: verifier.testFiles,
  configFile: verifier.configFile,
  node_modules: modules,
};

const child = spawn(
  program === 'node' ? process.execPath : program,
  words.map((word) => word.replaceAll('{assets}', here)),
  {
    env: { ...process.env, ...environment },
    cwd: verifier.workspace,
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  },
);
child.stdin.on('error', () => {});
child.stdin.end(JSON.stringify(channel));
const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), verifier.timeoutMs);
child.once('exit', () => {
  clearTimeout(timer);
  if (isFile(pending) && readFileSync(pending, 'utf8') === secret) {
    console.error('the tests were never started');
    process.exit(1);
  }
  finish(readReport());
});

function isFile(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function readReport() {
  if (!isFile(path)) return [];
  const text = readFileSync(path, 'utf8');
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (createHmac('sha256', key).update(body).digest('hex') !== text.slice(0, end)) return [];
  const { finished, results } = JSON.parse(body);
  return finished ? results : [];
}

function finish(results) {
  const passed = new Set();
  const taken = new Set();
  for (const { file, name, status } of results) {
    const plain = `${file}::${name}`;
    let id = plain;
    for (let number = 2; taken.has(id); number += 1) id = `${plain} #${number}`;
    taken.add(id);
    if (status === 'passed') passed.add(id);
  }
  const fraction = (ids) => (ids.length === 0 ? 1 : ids.filter((id) => passed.has(id)).length / ids.length);
  const failToPass = fraction(verifier.failToPass);
  const passToPass = fraction(verifier.passToPass);
  const reward = failToPass === 1 && passToPass === 1 ? 1 : 0;
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, 'reward.json'), `${JSON.stringify({ reward, fail_to_pass: failToPass, pass_to_pass: passToPass })}\n`);
  writeFileSync(join(logs, 'reward.txt'), `${reward}\n`);
  console.log(`reward ${reward} (fail-to-pass ${failToPass}, pass-to-pass ${passToPass})`);
}
