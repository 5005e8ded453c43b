// Reads and writes files for the runner of a sandbox. Anything may lie at a path: what is no regular file is refused before it
// is opened, nothing blocks, and a file is read no further than the limit. All access is synchronous, see sandbox-runner.cjs.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { Refusal } = require('./runner-refusal.cjs');

const { O_CREAT, O_NOCTTY, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/** Kernel files are no files of the sandbox: they block, and `/proc/self` is this process. */
const kernelDevices = ['/proc', '/sys'].map((folder) => fs.statSync(folder, { throwIfNoEntry: false })?.dev);
const rootDevice = fs.statSync('/').dev;

const notRegular = 'got a folder, device, socket, FIFO or kernel file';

function assertRegular(stats) {
  if (!stats.isFile() || (stats.dev !== rootDevice && kernelDevices.includes(stats.dev))) throw new Refusal(notRegular);
}

/** Opens a regular file; opening anything else could block or act on a device, so it is looked at before and after. */
function openRegular(file, flags) {
  const before = fs.statSync(file, { throwIfNoEntry: false });
  if (before !== undefined) assertRegular(before);
  const descriptor = fs.openSync(file, flags | O_NONBLOCK | O_NOCTTY, 0o644);
  try {
    const stats = fs.fstatSync(descriptor);
    assertRegular(stats);
    return { descriptor, size: stats.size };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

const absentCodes = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

function exists(file) {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function read(request) {
  const { path: file, maximumBytes } = request;
  const tooLarge = new Refusal(`got more than ${maximumBytes} bytes; read a part of it with a command`);
  let opened;
  try {
    opened = openRegular(file, O_RDONLY);
  } catch (error) {
    if (absentCodes.includes(error.code) || (error.code === 'EACCES' && !exists(file))) return { header: { status: 'absent' } };
    throw error;
  }
  try {
    if (opened.size > maximumBytes) throw tooLarge;
    const chunks = [];
    let length = 0;
    for (;;) {
      // The file may grow while it is read; its size is only where reading begins.
      const chunk = Buffer.allocUnsafe(Math.min(maximumBytes + 1 - length, Math.max(65_536, opened.size - length)));
      const count = fs.readSync(opened.descriptor, chunk);
      if (count === 0) return { header: { status: 'ok' }, payload: Buffer.concat(chunks, length) };
      chunks.push(chunk.subarray(0, count));
      length += count;
      if (length > maximumBytes) throw tooLarge;
    }
  } finally {
    fs.closeSync(opened.descriptor);
  }
}

function write(request, payload) {
  const open = () => openRegular(request.path, O_WRONLY | O_CREAT);
  let opened;
  try {
    opened = open();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    fs.mkdirSync(path.dirname(request.path), { recursive: true });
    opened = open();
  }
  try {
    fs.ftruncateSync(opened.descriptor);
    for (let offset = 0; offset < payload.length; ) offset += fs.writeSync(opened.descriptor, payload, offset);
  } finally {
    fs.closeSync(opened.descriptor);
  }
  return { header: { status: 'ok' } };
}

module.exports = { read, write };
