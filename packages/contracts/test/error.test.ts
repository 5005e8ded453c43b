import { describe, expect, it, vi } from 'vitest';
import { isTadpoleError, TadpoleError } from '../src/index.js';

describe('TadpoleError', () => {
  it('carries its code, message and cause', () => {
    const cause = new Error('ENOSPC');
    const error = new TadpoleError({ code: 'storage', message: 'the journal could not be written', cause });
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.code, error.message, error.cause]).toEqual([
      'TadpoleError',
      'storage',
      'the journal could not be written',
      cause,
    ]);
  });

  it('has no cause where none was given', () => {
    expect('cause' in new TadpoleError({ code: 'aborted', message: 'stopped' })).toBe(false);
  });

  it('is recognised, and no other error or look-alike is', () => {
    expect(isTadpoleError(new TadpoleError({ code: 'engine', message: 'x' }))).toBe(true);
    for (const other of [new Error('x'), { name: 'TadpoleError', code: 'engine', message: 'x' }, null, undefined, 'TadpoleError']) {
      expect(isTadpoleError(other)).toBe(false);
    }
  });

  it('is recognised when another copy of the package made it', async () => {
    vi.resetModules();
    const copy = await import('../src/error.js');
    const foreign = new copy.TadpoleError({ code: 'policy', message: 'x' });
    expect(foreign).not.toBeInstanceOf(TadpoleError);
    expect(isTadpoleError(foreign)).toBe(true);
  });
});
