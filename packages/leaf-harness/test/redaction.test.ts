import type { Trajectory } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReadTool, createRedactor, fromAtif, redactTrajectory, redactValue, secretPatterns, toAtif } from '../src/index.js';
import { keepHead } from '../src/tools/keep-head.js';
import { keepHeadAndTail } from '../src/tools/keep-head-and-tail.js';

const secret = 'p@ss "word"/with+frog?s';
const redactor = createRedactor({ secrets: { PASSWORD: secret } });
const redact = (...pieces: string[]) => redactor.redact(pieces);

describe('a known value', () => {
  it.each([
    ['plain', secret],
    ['in JSON text', JSON.stringify({ key: secret })],
    ['percent-encoded', `https://host/?key=${encodeURIComponent(secret)}`],
    ['hexadecimal', Buffer.from(secret).toString('hex')],
    ['hexadecimal in capitals', Buffer.from(secret).toString('hex').toUpperCase()],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 of a longer text, one byte in', Buffer.from(`x${secret}yz`).toString('base64')],
    ['base64 of a longer text, two bytes in', Buffer.from(`xy${secret}z`).toString('base64')],
    ['base64url of a header', Buffer.from(`user:${secret}`).toString('base64url')],
    [
      'base64 broken over lines',
      Buffer.from(secret)
        .toString('base64')
        .replace(/(.{8})/g, '$1\n'),
    ],
    [
      'base64 broken over lines inside JSON',
      JSON.stringify(
        Buffer.from(secret)
          .toString('base64')
          .replace(/(.{8})/g, '$1\n'),
      ),
    ],
  ])('is taken out %s', (_how, text) => {
    const { pieces, count } = redact(`before ${text} after`);
    expect(count).toBe(1);
    expect(pieces[0]).toMatch(/^before .*\[redacted:PASSWORD\].* after$/s);
    for (const part of [secret, Buffer.from(secret).toString('base64').slice(4, -4), Buffer.from(secret).toString('hex')])
      expect(pieces[0]).not.toContain(part);
  });

  it('is taken out wherever it stands in base64 of any text around it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom('base64' as const, 'base64url' as const), (before, after, encoding) => {
        const encoded = Buffer.from(before + secret + after).toString(encoding);
        const { pieces, count } = redact(encoded);
        expect(count).toBe(1);
        const left = Buffer.from(pieces[0]!.replace(/\[redacted:PASSWORD\]/, ''), encoding).toString('latin1');
        expect(left).not.toContain('word');
      }),
    );
  });

  it('of any length is taken out of any length of text, and stands in no error', () => {
    const key = Array.from({ length: 60 }, (_, index) => `${index}${'MIIabc+/'.repeat(7)}`).join('\n');
    const { redact: redactKey } = createRedactor({ secrets: { KEY: key }, patterns: [] });
    const wrapped = Buffer.from(`x${key}`)
      .toString('base64')
      .replace(/(.{76})/g, '$1\n');
    const noise = 'sk-eyJ'.repeat(40_000);
    for (const text of [key, key.replaceAll('\n', '\n17. '), JSON.stringify(key), wrapped])
      expect(redactKey([`${noise}${text}${noise}`]).count).toBe(1);
    expect(createRedactor().redact([noise]).count).toBe(0);
  });

  it('of several lines is taken out as Read shows it', async () => {
    const key = 'line one of it\nline two of it';
    const sandbox = { readFile: async () => Buffer.from(`a\n${key}\nb`) };
    const shown = await createReadTool().execute({ file_path: 'k' }, { sandbox: sandbox as never });
    expect(createRedactor({ secrets: { KEY: key } }).redact([shown]).pieces).toEqual(['k\n1. a\n2. [redacted:KEY]\n4. b']);
  });

  it('is taken out over the border of chunks, whatever the chunks', () => {
    const text = `a${secret}b${secret}c`;
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const at = [0, ...cuts.sort((left, right) => left - right), text.length];
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
        const { pieces, count } = redact(...chunks);
        expect(pieces).toHaveLength(chunks.length);
        expect([pieces.join(''), count]).toEqual(['a[redacted:PASSWORD]b[redacted:PASSWORD]c', 2]);
      }),
    );
  });

  it('is taken out where a truncation cut it, down to eight characters of it', () => {
    for (let limit = 60; limit < 200; limit += 1) {
      const text = `${'x'.repeat(60)}${secret}${'y'.repeat(60)}${secret}${'z'.repeat(60)}`;
      for (const shortened of [keepHead({ text, limit }), keepHeadAndTail({ text, limit })]) {
        const [left] = redact(shortened).pieces;
        for (let start = 0; start + 8 <= secret.length; start += 1) {
          const isEdge = start === 0 || start + 8 === secret.length;
          if (isEdge) expect(left).not.toContain(secret.slice(start, start + 8));
        }
      }
    }
  });

  it('under eight characters is refused, by its name and not its value', () => {
    const make = () => createRedactor({ secrets: { PIN: '1234567' } });
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-input', message: expect.stringMatching(/PIN(?!.*1234567)/) }));
  });
});

describe('a key of a known form', () => {
  const forms: Record<string, string> = {
    'private-key': `-----BEGIN RSA PRIVATE KEY-----\n12. ${'MIIEabc+/='.repeat(8)}\n-----END RSA PRIVATE KEY-----`,
    'anthropic-key': `sk-ant-api03-${'aB3_'.repeat(8)}`,
    'openai-key': `sk-proj-${'aB3-'.repeat(12)}`,
    'github-token': `github_pat_${'a1B2_'.repeat(8)}`,
    'gitlab-token': `glpat-${'a1B2'.repeat(5)}`,
    'aws-access-key': `AKIA${'A1B2'.repeat(4)}`,
    'google-key': `AIza${'a1B2c'.repeat(7)}`,
    'google-oauth-token': `ya29.${'a1B2c'.repeat(7)}`,
    'slack-token': `xoxb-${'1234567890-'.repeat(2)}abcdef`,
    'hugging-face-token': `hf_${'aBcDe'.repeat(7)}`,
    'npm-token': `npm_${'a1B2'.repeat(9)}`,
    'pypi-token': `pypi-AgEIcHlwaS5vcmc${'a1B2'.repeat(9)}`,
    'stripe-key': `sk_live_${'a1B2'.repeat(6)}`,
    'json-web-token': `eyJ${'hbGci'.repeat(4)}.eyJ${'zdWIi'.repeat(4)}.${'SflKx'.repeat(6)}`,
  };

  it.each(secretPatterns().map(({ name }) => name))('is taken out: %s', (name) => {
    const { pieces, count } = createRedactor().redact([`key="${forms[name]}";`]);
    expect([pieces[0], count]).toEqual([`key="[redacted:${name}]";`, 1]);
  });

  it('costs no time that grows with the square of a hostile text', () => {
    const beginnings = [
      'sk-',
      'eyJ',
      'eyJabcdefghij.',
      'xoxb-',
      'ya29.',
      '-----BEGIN A ',
      '-----BEGIN PRIVATE KEY-----',
      'hf_',
      'sk-ant-',
      'npm_a',
    ];
    for (const text of beginnings) createRedactor().redact([`${text.repeat(100_000)} ${`-${text}`.repeat(100_000)}`]);
  });

  it('is not seen in ordinary code, hashes and names of keys', () => {
    const text = `const sk = 'sk-test'; // ${'0f'.repeat(32)} -----BEGIN PRIVATE KEY----- AKIA hf_model npm_config_registry eyJhbGciOi`;
    expect(createRedactor().redact([text])).toEqual({ pieces: [text], count: 0 });
  });
});

describe('a value that is written', () => {
  it('loses secrets in every member, in names, and over the members of a list', () => {
    const half = secret.length / 2;
    const value = {
      [secret]: 1,
      deep: [
        { text: secret },
        secret.slice(0, half),
        secret.slice(half),
        { content: secret.slice(0, half) },
        { content: secret.slice(half) },
      ],
      ids: [1, 2],
      nothing: null,
    };
    const result = redactValue(value, { redactor });
    expect(result).toEqual({
      value: {
        '[redacted:PASSWORD]': 1,
        deep: [{ text: '[redacted:PASSWORD]' }, '[redacted:PASSWORD]', '', { content: '[redacted:PASSWORD]' }, { content: '' }],
        ids: [1, 2],
        nothing: null,
      },
      count: 4,
    });
  });
});

describe('a trajectory', () => {
  const trajectory: Trajectory = {
    id: 'r',
    taskId: 't',
    policy: 'p',
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 8, seed: 1 },
    opening: [{ role: 'user', content: 'Fix it.' }],
    turns: [
      {
        assistant: {
          role: 'assistant',
          content: '',
          reasoning: 'Look.',
          toolCalls: [{ id: '1', name: 'Bash', arguments: '{"command":"env"}' }],
        },
        observations: [{ role: 'tool', toolCallId: '1', content: 'HOME=/root' }],
        usage: { promptTokens: 1, completionTokens: 1 },
        durationMs: 1,
      },
    ],
    segments: [{ ids: [5, 6], mask: [false, true], logprobs: [0, -1], weightsVersions: ['w'] }],
    segmentBreaks: 0,
    stopReason: 'agent',
    patch: '',
    usage: { promptTokens: 1, completionTokens: 1 },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    harnessFingerprint: 'h',
  };
  const [turn] = trajectory.turns;
  const withObservation = (content: string): Trajectory => ({
    ...trajectory,
    turns: [{ ...turn!, observations: [{ role: 'tool', toolCallId: '1', content }] }],
  });

  it('without a secret is the very same', () => {
    expect(redactTrajectory(trajectory, { redactor })).toBe(trajectory);
  });

  it.each<[string, Trajectory]>([
    ['an observation', withObservation(`PASSWORD=${secret}`)],
    ['an answer', { ...trajectory, turns: [{ ...turn!, assistant: { ...turn!.assistant, content: secret } }] }],
    ['reasoning', { ...trajectory, turns: [{ ...turn!, assistant: { ...turn!.assistant, reasoning: secret } }] }],
    [
      'malformed arguments',
      {
        ...trajectory,
        turns: [
          { ...turn!, assistant: { ...turn!.assistant, toolCalls: [{ id: '1', name: 'Bash', arguments: `{"command": "${secret}` }] } },
        ],
      },
    ],
    ['the instruction', { ...trajectory, opening: [{ role: 'user', content: secret }] }],
    ['the patch', { ...trajectory, patch: `+${secret}` }],
    ['an error', { ...trajectory, error: secret }],
  ])('with a secret in %s is written without it and without any token id, and is read back so', (_where, given) => {
    const written = JSON.stringify(toAtif(given, { redactor }));
    expect(written).not.toContain(secret);
    expect(written).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(written).toContain('[redacted:PASSWORD]');
    const { trajectory: back } = fromAtif(JSON.parse(written));
    expect(back).toMatchObject({ segments: [], redactions: 1 });
    expect(redactTrajectory(back, { redactor })).toBe(back);
  });

  it('loses keys of known forms in its document without being asked, its outcome included', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const outcome = {
      status: 'scored' as const,
      reward: 0,
      components: {},
      tests: [{ id: 'a::b', file: 'a', name: 'b', status: 'failed' as const, message: key }],
    };
    const written = JSON.stringify(toAtif(withObservation(key), { outcome }));
    expect(written).not.toContain(key);
    expect(written.match(/\[redacted:github-token\]/g)).toHaveLength(2);
  });
});
