import { afterAll, describe, expect, it } from 'vitest';
import { sampleSnapshot } from '../../packages/taskpilot/test/support/sample-project.js';
import { proposeBugs } from './propose-bugs.js';
import { startServer } from './start-server.js';

describe('SmolLM2 with 135 million parameters, asked for bugs', () => {
  const starting = startServer();
  starting.catch(() => {});
  afterAll(async () => {
    const server = await starting.catch(() => undefined);
    await server?.close();
  });

  // Far too small for the work: what holds is that nothing is lost and nothing is guessed, whatever it writes.
  it('has every call recorded, and every proposal ends as valid or with a reason', { timeout: 900_000 }, async () => {
    const proposals = 6;
    const { baseUrl } = await starting;
    const { calls, ends, spent } = await proposeBugs({ baseURL: baseUrl, snapshot: sampleSnapshot(), proposals });
    console.log(`Yield: ${ends.filter(({ end }) => end === 'valid').length} of ${ends.length} proposals valid, ${calls.length} calls.`);
    console.log(JSON.stringify({ ends, calls: calls.map(({ outcome, reason, usage }) => [outcome, reason, usage]), spent }, null, 1));
    expect(ends).toHaveLength(proposals);
    expect(ends.filter(({ end }) => !/^(valid|(not valid|refused): [a-z-]+)$/.test(end))).toEqual([]);
    expect(spent.calls).toBe(calls.length);
    expect(spent.promptTokens).toBe(calls.reduce((sum, { usage }) => sum + usage.promptTokens, 0));
    expect(calls.filter(({ outcome }) => outcome !== 'repaired')).toHaveLength(proposals);
  });
});
