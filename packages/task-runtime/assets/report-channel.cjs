'use strict';

// One report of a test run: results are kept in memory and written once, with a message authentication code, to a file
// outside the workspace. Standard input holds the file's path and the key; it is consumed before any code under test is
// loaded, so a forged file or a second channel carries no valid code. The key's bytes stand outside the heap of JavaScript,
// where no snapshot of it shows them. Not covered: code that patches the test framework in this process, or that reads the
// key from it by a debugger or from its memory.
const fs = require('node:fs');
const { createHmac, createSecretKey } = require('node:crypto');
const { inspect } = require('node:util');

const { writeFileSync, readFileSync, renameSync, unlinkSync } = fs;
const { stringify, parse } = JSON;

const limit = 300;

/** The channel, with a key that nothing refers to as text any more. */
function readChannel() {
  const { key, ...channel } = parse(readFileSync(0, 'utf8') || '{}');
  if (key === undefined) return channel;
  // Of the pool that other buffers share, every one of them would show it.
  const bytes = Buffer.alloc(key.length, key, 'latin1');
  const secret = createSecretKey(bytes);
  bytes.fill(0);
  return { ...channel, key: secret };
}

function openReportChannel() {
  const { path, key, workspace, files, configFile, node_modules: modules } = readChannel();
  if (key === undefined) {
    const nothing = { files: [], workspace: '/workspace', modules: '/node_modules' };
    return { begin() {}, add() {}, finish() {}, print, describeError, relative: (file) => file, ...nothing };
  }
  require('./seed-random.cjs');
  const results = [];
  let written = false;

  function write(finished) {
    if (written) return;
    written = true;
    const body = stringify({ finished, results });
    const mac = createHmac('sha256', key).update(body).digest('hex');
    writeFileSync(`${path}.draft`, `${mac}\n${body}`);
    renameSync(`${path}.draft`, path);
  }

  process.once('exit', () => write(false));
  return {
    /** Says that the framework is there and the first test file is loaded next: from here on, what fails is the tests'. */
    begin() {
      unlinkSync(`${path}.pending`);
    },
    /** `name` stands in the report as it is: an id that was shortened would name no test. */
    add(result) {
      results[results.length] = { ...result, name: String(result.name) };
    },
    finish() {
      write(true);
    },
    print,
    describeError,
    /** Path relative to the workspace. */
    relative(file) {
      const plain = file.startsWith('file://') ? decodeURIComponent(file.slice('file://'.length)) : file;
      return plain.startsWith(`${workspace}/`) ? plain.slice(workspace.length + 1) : plain;
    },
    /** Absolute paths of the test files, in order. */
    files: files.map((file) => `${workspace}/${file}`),
    workspace,
    /** Absolute path of the configuration that the task names, or `undefined`. */
    configFile: configFile === undefined ? undefined : `${workspace}/${configFile}`,
    modules,
  };
}

function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function print(value) {
  try {
    const text = inspect(value, {
      depth: 3,
      breakLength: Number.POSITIVE_INFINITY,
      maxStringLength: limit,
      maxArrayLength: 20,
      customInspect: false,
    });
    return shorten(text, limit);
  } catch {
    return '(not printable)';
  }
}

/** Message, kind, expected and observed of what a test threw. */
function describeError(error) {
  if (error === null || typeof error !== 'object') return { message: shorten(String(error), limit), kind: 'error' };
  const assertion = error.code === 'ERR_ASSERTION' || /^AssertionError/.test(String(error.name));
  const compared = assertion && ('expected' in error || 'actual' in error) && error.operator !== 'fail';
  const name = assertion ? '' : `${error.name}: `;
  return {
    message: shorten(`${name}${error.message}`.trim(), limit),
    kind: assertion ? 'assertion' : 'error',
    ...(compared ? { expected: print(error.expected), observed: print(error.actual) } : {}),
  };
}

module.exports = openReportChannel;
