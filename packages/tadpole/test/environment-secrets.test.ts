import { createRedactor } from '@tadpole/leaf-harness';
import { describe, expect, it } from 'vitest';
import { environmentSecrets } from '../src/cli/environment-secrets.js';

describe('secrets of an environment', () => {
  it('are the values of variables with a telling name that are long enough to be told from text', () => {
    const secrets = environmentSecrets({
      OPENAI_API_KEY: 'sk-0123456789',
      GH_TOKEN: 'ghp_abcdefgh',
      DB_PASSWORD: 'hunter2',
      PATH: '/usr/bin:/bin',
      EMPTY_SECRET: undefined,
      my_credentials: 'user:pass-word',
    });
    expect(secrets).toEqual({ OPENAI_API_KEY: 'sk-0123456789', GH_TOKEN: 'ghp_abcdefgh', my_credentials: 'user:pass-word' });
    expect(createRedactor({ secrets }).redact(['the key is sk-0123456789']).pieces.join('')).not.toContain('0123456789');
  });
});
