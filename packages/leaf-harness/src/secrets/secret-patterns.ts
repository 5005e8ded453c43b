/** A kind of key that is known by its form. */
export interface SecretPattern {
  /** Stands in the place of what was found. */
  readonly name: string;
  /** With the flag `g`; it never matches the empty text, and bounds what it repeats. */
  readonly pattern: RegExp;
}

/**
 * Forms of keys that are distinctive enough to be taken out wherever they stand; each begins with a prefix that
 * its issuer made for that purpose. Repetition is bounded: the engine throws on a text that repeats without end.
 */
export function secretPatterns(): readonly SecretPattern[] {
  return [
    // The body also takes line numbers and written-out line breaks, with which tools show a file.
    {
      name: 'private-key',
      pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,5}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[A-Za-z0-9+/=.:,\s-]){32,100000}/g,
    },
    { name: 'anthropic-key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,100000}/g },
    { name: 'openai-key', pattern: /\bsk-(?=[A-Za-z_-]{0,64}\d)[A-Za-z0-9_-]{32,100000}/g },
    { name: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,100000}|github_pat_[A-Za-z0-9_]{22,100000})/g },
    { name: 'gitlab-token', pattern: /\bglpat-[A-Za-z0-9_-]{20,100000}/g },
    { name: 'aws-access-key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
    { name: 'google-key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
    { name: 'google-oauth-token', pattern: /\bya29\.[A-Za-z0-9_-]{20,100000}/g },
    { name: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,100000}/g },
    { name: 'hugging-face-token', pattern: /\bhf_[A-Za-z0-9]{30,100000}/g },
    { name: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
    { name: 'pypi-token', pattern: /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{20,100000}/g },
    { name: 'stripe-key', pattern: /\b[rs]k_live_[A-Za-z0-9]{16,100000}/g },
    // Begins at the start of a word alone: text of a model may repeat the beginning without end.
    {
      name: 'json-web-token',
      pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,100000}\.eyJ[A-Za-z0-9_-]{10,100000}\.[A-Za-z0-9_-]{10,100000}/g,
    },
  ];
}
