import { type OptimizerSettings, TadpoleError } from '@tadpole/contracts';
import type { TinkerProfile } from './tinker-profile.js';

const names = {
  learningRate: 'learning_rate',
  beta1: 'beta1',
  beta2: 'beta2',
  epsilon: 'eps',
  weightDecay: 'weight_decay',
  gradientClip: 'grad_clip_norm',
} as const;

/** Of the contracts, where a server honours the setting. */
const defaults = { beta1: 0.9, beta2: 0.98, epsilon: 1e-8, weightDecay: 0.1, gradientClip: 1 } as const;

/** Settings in the protocol's names. @throws TadpoleError `unsupported` for one that the server would ignore */
export function optimizerBody({ settings, profile }: { settings: OptimizerSettings; profile: TinkerProfile }): object {
  const isHonoured = (name: keyof OptimizerSettings) => profile.optimizerSettings.includes(name);
  const ignored = (Object.keys(names) as (keyof OptimizerSettings)[]).find((name) => !isHonoured(name) && isGiven(settings, name));
  if (ignored !== undefined) {
    const off = ignored === 'gradientClip' ? ', or 0 for none' : '';
    const message = `optimStep: a server like ${profile.name} ignores ${ignored}; set it where the server is started and leave it out here${off}.`;
    throw new TadpoleError({ code: 'unsupported', message });
  }
  const given = { ...defaults, ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) };
  const entries = (Object.keys(names) as (keyof typeof names)[])
    .filter(isHonoured)
    .map((name) => [names[name], (given as OptimizerSettings)[name]]);
  return { adam_params: Object.fromEntries(entries) };
}

/** Clipping by 0 is none, which a server that does not clip honours. */
function isGiven(settings: OptimizerSettings, name: keyof OptimizerSettings): boolean {
  const value = settings[name];
  return value !== undefined && !(name === 'gradientClip' && value === 0);
}
