// Starts and ends commands for the runner of a container, in a pid namespace that belongs to the sandbox alone.
'use strict';

const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { Refusal } = require('./runner-refusal.cjs');

const killMilliseconds = 10_000;
/** Last word of the command line of a first process that stands for a pid namespace of the sandbox's own. */
const namespaceMark = 'tadpole-sandbox';

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Keeps the first and the last bytes of a stream while it is read. */
function capture(stream, { headBytes, tailBytes }) {
  const head = [];
  let headRoom = headBytes;
  let tail = [];
  let tailLength = 0;
  let droppedBytes = 0;
  const compact = () => {
    if (tailLength <= tailBytes) return;
    const joined = Buffer.concat(tail);
    const kept = Buffer.from(joined.subarray(joined.length - tailBytes));
    droppedBytes += joined.length - kept.length;
    tail = [kept];
    tailLength = kept.length;
  };
  stream.on('error', () => {});
  stream.on('data', (chunk) => {
    const taken = chunk.subarray(0, headRoom);
    if (taken.length > 0) head.push(Buffer.from(taken));
    headRoom -= taken.length;
    const rest = chunk.subarray(taken.length);
    if (rest.length === 0) return;
    tail.push(Buffer.from(rest));
    tailLength += rest.length;
    if (tailLength > 2 * tailBytes + 65_536) compact();
  });
  return () => {
    compact();
    return { head: Buffer.concat(head), tail: Buffer.concat(tail), droppedBytes };
  };
}

/** A signal to all would reach every process of a machine, so the first process must be known to be the sandbox's own. */
function assertOwnNamespace(uid) {
  const words = uid === undefined ? [] : fs.readFileSync('/proc/1/cmdline', 'utf8').split('\0');
  if (words.at(-2) !== namespaceMark) throw new Refusal('got a runner without a pid namespace of its own');
}

/** Ids of living processes with any user id of the given one; a zombie lives no longer. */
function livingProcesses(user) {
  return fs.readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const status = fs.readFileSync(`/proc/${name}/status`, 'latin1');
      const ids = /^Uid:\s*(.*)$/m.exec(status)[1].split('\t').map(Number);
      return Number(name) !== process.pid && ids.includes(user) && !/^State:\s*[ZX]/m.test(status);
    } catch {
      return false;
    }
  });
}

/**
 * Ends every process of the namespace but its first and this one. The kernel signals all at one moment, so that not even
 * a process that forks without end slips through.
 */
async function killAll(uid) {
  assertOwnNamespace(uid);
  const deadline = performance.now() + killMilliseconds;
  for (;;) {
    try {
      process.kill(-1, 'SIGKILL');
    } catch {
      // None was there.
    }
    const alive = livingProcesses(uid);
    if (alive.length === 0) return;
    if (performance.now() > deadline) throw new Error(`processes ${alive.join(', ')} survive SIGKILL`);
    await pause(1);
  }
}

/** The operations `run` and `kill`, and how everything ends when the runner does. */
function createCommands({ uid }) {
  const endings = new Set();

  /** Ends every process; no command is started before each such ending is over, lest it end the new one. */
  function endAll() {
    const ending = killAll(uid).finally(() => endings.delete(ending));
    endings.add(ending);
    return ending;
  }

  /** Root again for as long as it takes to start a process as another user. */
  function start({ arguments: [file, ...words], env, uid: childUid, gid }, stdio) {
    process.seteuid(0);
    try {
      return spawn(file, words, { env, cwd: '/', stdio, detached: true, uid: childUid, gid });
    } finally {
      process.seteuid(uid);
    }
  }

  /**
   * Two pipes that a command can open again by their names, as `/dev/stderr`, which the sockets that Node.js gives its
   * children cannot be. Made while no command lives; without room or `mkfifo` there are none.
   */
  function makePipes({ uid: childUid, gid, env }) {
    let folder;
    try {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), '.pipes-'));
      const names = ['out', 'error'].map((name) => path.join(folder, name));
      process.seteuid(0);
      try {
        spawnSync('mkfifo', ['-m', '600', '--', ...names], { env, cwd: '/', stdio: 'ignore', uid: childUid, gid, timeout: 5000 });
      } finally {
        process.seteuid(uid);
      }
      return names.map((name) => {
        const descriptor = fs.openSync(name, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
        const writer = fs.openSync(name, fs.constants.O_WRONLY);
        return { reader: new net.Socket({ fd: descriptor, readable: true, writable: false }), writer };
      });
    } catch {
      return undefined;
    } finally {
      if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
    }
  }

  async function run(request, payload) {
    assertOwnNamespace(uid);
    await Promise.allSettled(endings);
    const pipes = makePipes(request);
    const [out, error] = pipes?.map(({ writer }) => writer) ?? ['pipe', 'pipe'];
    const child = start(request, [payload.length > 0 ? 'pipe' : 'ignore', out, error]);
    for (const { writer } of pipes ?? []) fs.closeSync(writer);
    const outputs = pipes?.map(({ reader }) => reader) ?? [child.stdout, child.stderr];
    const ended = new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new Refusal(`got ${error.message}`)));
      child.once('exit', (code, signal) => resolve(code ?? 128 + os.constants.signals[signal]));
    });
    const closed = Promise.all(outputs.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
    const captures = outputs.map((stream) => capture(stream, request));
    child.stdin?.on('error', () => {});
    child.stdin?.end(payload);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endAll().catch(() => {});
    }, request.timeoutMs);
    let exitCode;
    try {
      exitCode = await ended;
    } finally {
      clearTimeout(timer);
      await endAll();
    }
    // Every holder of the pipes is gone; what is left in them is read in a moment.
    await Promise.race([closed, pause(1000)]);
    for (const stream of [child.stdin, ...outputs]) stream?.destroy();
    const [stdout, stderr] = captures.map((end) => end());
    const lengths = (output) => ({ head: output.head.length, tail: output.tail.length, droppedBytes: output.droppedBytes });
    return {
      header: { status: 'ok', end: { exitCode, timedOut, stdout: lengths(stdout), stderr: lengths(stderr) } },
      payload: Buffer.concat([stdout.head, stdout.tail, stderr.head, stderr.tail]),
    };
  }

  return {
    run,
    async kill() {
      await endAll();
      return { header: { status: 'ok' } };
    },
  };
}

module.exports = { createCommands };
