import assert from 'node:assert/strict';
import { type AnyTool, isTadpoleError, type OwnedSandbox, TadpoleError } from '@tadpole/contracts';
import { executeToolCall } from '../loop/execute-tool-call.js';
import { toolDefinition } from '../tools/tool-definition.js';
import type { ConformanceCase } from './conformance-case.js';

/** What every tool must do to be called by a model in any sandbox. */
export function toolConformance(options: {
  tool: AnyTool;
  /** A fresh sandbox in which `validInput` works. */
  openSandbox: () => Promise<OwnedSandbox>;
  /** Arguments that the tool accepts. */
  validInput: Readonly<Record<string, unknown>>;
  /** Arguments that its schema refuses. */
  invalidInput: Readonly<Record<string, unknown>>;
}): ConformanceCase[] {
  const { tool, openSandbox, validInput, invalidInput } = options;
  const call = async (input: unknown, sandbox: OwnedSandbox) =>
    executeToolCall({ toolCall: { id: 'call', name: tool.name, arguments: JSON.stringify(input) }, tools: [tool], context: { sandbox } });
  const inSandbox = async (check: (sandbox: OwnedSandbox) => Promise<void>) => {
    const sandbox = await openSandbox();
    try {
      await check(sandbox);
    } finally {
      await sandbox.dispose();
    }
  };
  return [
    {
      name: 'has a name that every endpoint accepts and a description',
      async run() {
        assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
        assert.notEqual(tool.description.trim(), '');
      },
    },
    {
      name: 'has a JSON Schema of an object that survives JSON',
      async run() {
        const { parameters } = toolDefinition(tool);
        assert.equal(parameters.type, 'object');
        assert.deepEqual(JSON.parse(JSON.stringify(parameters)), parameters);
      },
    },
    {
      name: 'answers a valid input with text',
      run: () =>
        inSandbox(async (sandbox) => {
          const { status, content } = await call(validInput, sandbox);
          assert.equal(status, 'ok', content);
          assert.equal(typeof content, 'string');
        }),
    },
    {
      name: 'refuses an invalid input through its schema, before it runs',
      run: () =>
        inSandbox(async (sandbox) => {
          const { status, content } = await call(invalidInput, sandbox);
          assert.equal(status, 'invalid', content);
        }),
    },
    {
      name: 'lets a failure of the sandbox boundary through',
      async run() {
        const fail = () => Promise.reject(new TadpoleError({ code: 'sandbox', message: 'gone' }));
        const sandbox = { id: 'gone', run: fail, readFile: fail, writeFile: fail, glob: fail, diff: fail, dispose: fail };
        await assert.rejects(call(validInput, sandbox), (error) => isTadpoleError(error) && error.code === 'sandbox');
      },
    },
  ];
}
