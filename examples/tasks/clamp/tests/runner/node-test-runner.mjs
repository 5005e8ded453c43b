// Runs node:test files in this process, in order: `node --test` of Node 20 would start a process a file.
import { before } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { begin, failToLoad, files, isAttached } from './node-test-reporter.mjs';

// The first use of node:test attaches the reporter; code under test must not come before it.
before(() => {});
const deadline = Date.now() + 1000;
while (!isAttached() && Date.now() < deadline) await setImmediate();

begin();
for (const file of files) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    failToLoad(file, error);
  }
}
