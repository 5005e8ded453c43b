// Serves one sandbox's files and commands from inside it, over standard input and output. Needs nothing but Node.js and,
// with its parts put into one script, runs as `node -e` too. Its last argument is JSON: {} or {"uid":1000,"gid":1000}, the user whose files it serves.
//
// A frame is two 32-bit big-endian lengths, a JSON header and raw bytes. Everything inside is hostile but the frames that
// come in: files are opened non-blocking, only when they are regular, and all work is bounded in bytes, entries and time.
//
// With a uid the real user stays root, so that no command can signal, trace or read this process, while the effective
// user is the sandbox's. All file access is synchronous: none can fall into the moment in which a command is started as root.
'use strict';

const { createCommands } = require('./runner-commands.cjs');
const { read, write } = require('./runner-files.cjs');
const { glob } = require('./runner-glob.cjs');
const { Refusal } = require('./runner-refusal.cjs');

const headerBytes = 4_194_304;
const payloadBytes = 268_435_456;

const user = JSON.parse(process.argv.at(-1));
process.umask(0o022);
if (user.uid !== undefined) {
  process.setgroups([]);
  process.setegid(user.gid);
  process.seteuid(user.uid);
}
const { run, kill } = createCommands(user);
const operations = { read, write, glob, run, kill };

function reply(header, payload = Buffer.alloc(0)) {
  const text = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(payload.length, 4);
  process.stdout.write(Buffer.concat([lengths, text]));
  if (payload.length > 0) process.stdout.write(payload);
}

async function answer(header, payload) {
  const { id } = header;
  try {
    const result = await operations[header.operation](header, payload);
    reply({ id, ...result.header }, result.payload);
  } catch (error) {
    // The system's own answer has a code; anything else is a fault here.
    const reason = error instanceof Refusal ? error.message : `got ${error.code ?? error.message}`;
    const status = error instanceof Refusal || typeof error.code === 'string' ? 'refused' : 'failed';
    reply({ id, status, reason: reason.slice(0, 500) });
  }
}

const received = [];
let receivedBytes = 0;

/** Takes bytes off the front once that many have come. */
function take(count) {
  const all = received.length === 1 ? received[0] : Buffer.concat(received);
  receivedBytes -= count;
  received.length = 0;
  if (all.length > count) received.push(all.subarray(count));
  return all.subarray(0, count);
}

let lengths;
process.stdin.on('data', (chunk) => {
  received.push(chunk);
  receivedBytes += chunk.length;
  for (;;) {
    if (lengths === undefined) {
      if (receivedBytes < 8) return;
      const start = take(8);
      lengths = { header: start.readUInt32BE(0), payload: start.readUInt32BE(4) };
      if (lengths.header > headerBytes || lengths.payload > payloadBytes) throw new Error('a request is too large');
    }
    if (receivedBytes < lengths.header + lengths.payload) return;
    const header = JSON.parse(take(lengths.header).toString('utf8'));
    const payload = take(lengths.payload);
    lengths = undefined;
    answer(header, payload);
  }
});
process.stdin.on('end', async () => {
  try {
    await kill();
  } catch {
    // Without a namespace of its own there is nothing that this process started.
  }
  process.exit(0);
});
