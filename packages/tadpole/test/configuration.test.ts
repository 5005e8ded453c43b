import { describe, expect, it } from 'vitest';
import { recipeConfiguration } from '../src/recipe/recipe-configuration.js';
import { closestName } from '../src/run/closest-name.js';
import { configurationHash, overrideConfiguration, readOverrides } from '../src/run/configuration.js';
import { configuredLoss, type LossConfiguration } from '../src/run/loss-configuration.js';

const base = recipeConfiguration('small');
const override = (overrides: unknown) => overrideConfiguration({ base, overrides, source: 'test.json' });

describe('the configured loss', () => {
  const inputs = {
    logprobs: [Math.log(0.9)],
    rolloutLogprobs: [Math.log(0.3)],
    advantages: [2],
    mask: [1],
  };

  it.each<[LossConfiguration | undefined, number]>([
    // rho = 3, p - q = 0.6, so a rise of more than 0.2 is masked.
    [undefined, 0],
    [{ kind: 'dppo-binary-tv', deltaHigh: 0.7 }, -6],
    [{ kind: 'dppo-binary-kl', deltaHigh: 5 }, -6],
    [{ kind: 'importance-sampling' }, -6],
    [{ kind: 'importance-sampling', aggregation: { kind: 'length-normalised', length: 4 } }, -1.5],
    [{ kind: 'ppo' }, -2 * 1.2],
    [{ kind: 'ppo', clipLow: 0.5, clipHigh: 2 }, -2 * 2],
    [{ kind: 'cispo', clipHigh: 2 }, -2 * 2 * Math.log(0.9)],
    [{ kind: 'gspo', clipHigh: 0.5 }, -2 * 1.5],
    // + |A| q (rho - 1)^2 / (2 epsilon)
    [{ kind: 'drpo', epsilon: 1 }, -6 + (2 * 0.3 * 4) / 2],
  ])('%j has this value by hand: %d', (loss, value) => {
    expect(configuredLoss({ loss, deltaLow: 0.2, deltaHigh: 0.2 })(inputs).loss).toBeCloseTo(value, 12);
  });

  it('is refused where its numbers contradict each other', () => {
    expect(() => configuredLoss({ loss: { kind: 'ppo', clipLow: 2, clipHigh: 3 }, deltaLow: 0.2, deltaHigh: 0.2 })).toThrow(/clip/);
  });
});

describe('a configuration', () => {
  it('takes single keys over the budget and keeps the rest', () => {
    const configuration = override({ training: { learningRate: 0 }, seed: 7 });
    expect(configuration.training.learningRate).toBe(0);
    expect(configuration.seed).toBe(7);
    expect(configuration.training.groupSize).toBe(base.training.groupSize);
  });

  it('refuses an unknown key and suggests the nearest known one', () => {
    expect(() => override({ training: { learningrate: 1 } })).toThrowError(
      /unknown key "training\.learningrate", did you mean "learningRate"/,
    );
    expect(() => override({ iteration: 1 })).toThrowError(/unknown key "iteration", did you mean "iterations"/);
  });

  it('refuses an unknown key inside a list', () => {
    const repositories = [{ ...base.repositories[0], testFile: ['a.js'] }];
    expect(() => override({ repositories })).toThrowError(/unknown key "repositories\.0\.testFile", did you mean "testFiles"/);
  });

  it('says what was expected of an ill-typed value', () => {
    expect(() => override({ training: { groupSize: 1 } })).toThrowError(/training\.groupSize/);
    expect(() => override([])).toThrowError(/test\.json/);
  });

  it('refuses paths that leave a repository', () => {
    const repositories = [{ ...base.repositories[0], testFiles: ['../secret.js'] }];
    expect(() => override({ repositories })).toThrowError(/relative path/);
  });

  it.each(['../x', '/etc', 'a/b/c', '.hidden', '@scope', 'a b', ''])('refuses the package name %j', (name) => {
    expect(() => override({ repositories: [{ ...base.repositories[0], package: name }] })).toThrowError(
      /repositories\.0\.package: .*npm package/,
    );
    expect(() => override({ repositories: [{ ...base.repositories[0], dependencies: [name] }] })).toThrowError(/dependencies\.0/);
  });

  it.each([
    [{ heldOutFiles: ['other.js'] }, /heldOutFiles: expected files of sourceFiles, got "other\.js"/],
    [{ hiddenPaths: ['README.md'] }, /hiddenPaths: expected the test file "tests\/fraction\.test\.js" or a folder above it/],
    [{ hiddenPaths: ['tests', 'dist'] }, /hiddenPaths: expected no source file below them, "dist\/fraction\.js" is/],
  ])('refuses lists of files that contradict each other: %j', (lists, message) => {
    expect(() => override({ repositories: [{ ...base.repositories[0], ...lists }] })).toThrowError(message);
  });

  it.each([
    [{ repositories: [base.repositories[0], base.repositories[0]] }, /every package once/],
    [{ calibration: { band: [0.9, 0.1] } }, /calibration\.band: expected \[low, high\]/],
    [{ agent: { wallTimeMs: 3e9 } }, /agent\.wallTimeMs/],
    [{ agent: { limits: { timeoutMs: 3e9 } } }, /agent\.limits\.timeoutMs/],
    [{ training: { learningRate: 1e300 } }, /training\.learningRate/],
    [{ training: { loss: { kind: 'grpo' } } }, /training\.loss/],
    [
      { training: { loss: { kind: 'ppo', deltaLow: 0.1 } } },
      /unknown key "training\.loss\.deltaLow"; known here: kind, clipLow, clipHigh, aggregation/,
    ],
    [{ training: { loss: { kind: 'ppo', clipLow: 2, clipHigh: 0.5 } } }, /training\.loss: Expected bounds of the ratio/],
    [{ training: { beta1: 1 } }, /training\.beta1/],
    [{ training: { beta2: 1 } }, /training\.beta2/],
    [{ training: { weightDecay: 1e300 } }, /training\.weightDecay/],
    [{ training: { maxLag: 1000 } }, /training\.maxLag/],
    [
      { engine: { kind: 'tinker', base: 'x' } },
      /unknown key "engine\.base", did you mean "baseUrl"|unknown key "engine\.base"; known here: kind, baseUrl/,
    ],
    [{ training: { maxGroupsPerUpdate: 1 } }, /training\.maxGroupsPerUpdate: expected at least groupsPerUpdate/],
    [{ training: { maxLag: -1 } }, /training\.maxLag/],
    [{ synthesis: { operators: ['flip-equalty'] } }, /operators\.0: unknown operator "flip-equalty", did you mean "flip-equality"/],
    [{ synthesis: { moves: ['say-les'] } }, /moves\.0: unknown move "say-les", did you mean "say-less"/],
    [{ calibration: { prior: [0, 1] } }, /calibration\.prior\.0/],
  ])('refuses values that cannot be meant: %j', (overrides, message) => {
    expect(() => override(overrides)).toThrowError(message);
  });

  it('has one hash for one meaning, whatever the order of its keys', () => {
    const reversed = Object.fromEntries(Object.entries(base).reverse()) as typeof base;
    expect(configurationHash(reversed)).toBe(configurationHash(base));
    expect(configurationHash(override({ seed: 1 }))).not.toBe(configurationHash(base));
  });

  it('names a configuration file that cannot be read', () => {
    expect(() => readOverrides('/nowhere/x.json')).toThrowError(/--config \/nowhere\/x\.json/);
  });
});

describe('a suggestion', () => {
  it('is given for a near name only', () => {
    expect(closestName('budgte', ['budget', 'seed'])).toBe('budget');
    expect(closestName('colour', ['budget', 'seed'])).toBeUndefined();
  });
});
