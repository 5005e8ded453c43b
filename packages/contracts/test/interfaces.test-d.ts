import { describe, expectTypeOf, test } from 'vitest';
import type {
  AuditRule,
  Candidate,
  EventSink,
  Finding,
  Generator,
  Grader,
  Loss,
  LossInputs,
  Outcome,
  OwnedSandbox,
  Policy,
  Renderer,
  Sampler,
  Sandbox,
  SandboxProvider,
  TadpoleEvent,
  TrainingClient,
} from '../src/index.js';

describe('the contracts', () => {
  test('have the members that the design names, and no others', () => {
    expectTypeOf<keyof Sandbox>().toEqualTypeOf<'run' | 'readFile' | 'writeFile' | 'glob'>();
    expectTypeOf<Exclude<keyof OwnedSandbox, keyof Sandbox>>().toEqualTypeOf<'id' | 'diff' | 'dispose'>();
    expectTypeOf<keyof SandboxProvider>().toEqualTypeOf<'open' | 'describe'>();
    expectTypeOf<keyof Grader>().toEqualTypeOf<'grade'>();
    expectTypeOf<keyof Policy>().toEqualTypeOf<'name' | 'respond'>();
    expectTypeOf<keyof Sampler>().toEqualTypeOf<'sample' | 'weightsVersion' | 'contextTokens'>();
    expectTypeOf<keyof Renderer>().toEqualTypeOf<'name' | 'render' | 'parse' | 'stopIds'>();
    expectTypeOf<keyof AuditRule>().toEqualTypeOf<'id' | 'severity' | 'category' | 'kinds' | 'description' | 'reportOnly' | 'check'>();
    expectTypeOf<keyof Generator>().toEqualTypeOf<'name' | 'propose'>();
    expectTypeOf<keyof TrainingClient>().toEqualTypeOf<
      'forward' | 'forwardBackward' | 'forwardBackwardLoss' | 'optimStep' | 'saveState' | 'loadState' | 'createSampler' | 'capabilities'
    >();
  });

  test('require limits to open a sandbox, but no network', () => {
    type Opening = Parameters<SandboxProvider['open']>[0];
    expectTypeOf<Opening>().toHaveProperty('limits');
    expectTypeOf<undefined>().not.toExtend<Opening['limits']>();
    expectTypeOf<undefined>().toExtend<Opening['network']>();
  });

  test('connect by values: what one side gives is what the other side takes', () => {
    expectTypeOf<Awaited<ReturnType<Grader['grade']>>>().toEqualTypeOf<Outcome>();
    expectTypeOf<Awaited<ReturnType<TrainingClient['createSampler']>>>().toEqualTypeOf<Sampler>();
    expectTypeOf<ReturnType<Generator['propose']>>().toEqualTypeOf<AsyncIterable<Candidate>>();
    expectTypeOf<ReturnType<AuditRule['check']>>().toEqualTypeOf<readonly Finding[]>();
    expectTypeOf<Parameters<EventSink['emit']>>().toEqualTypeOf<[TadpoleEvent]>();
    expectTypeOf<Parameters<Loss>>().toEqualTypeOf<[LossInputs]>();
    type Gradient = ReturnType<Loss>['gradient'];
    expectTypeOf<Gradient>().toExtend<Parameters<TrainingClient['forwardBackward']>[0]['gradients'][number]>();
  });
});
