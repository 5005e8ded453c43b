import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import * as contracts from '../src/index.js';
import * as arbitraries from './arbitraries.js';

/** Every exported schema with values that it must take; the names are checked against the entry below. */
const cases: Readonly<Record<string, readonly [z.ZodType, fc.Arbitrary<unknown>]>> = {
  assistantMessageSchema: [contracts.assistantMessageSchema, arbitraries.assistantMessage],
  boundarySchema: [contracts.boundarySchema, arbitraries.boundary],
  certificateSchema: [contracts.certificateSchema, arbitraries.certificate],
  containmentIdSchema: [contracts.containmentIdSchema, arbitraries.containmentId],
  containmentSchema: [contracts.containmentSchema, arbitraries.containment],
  eventSchema: [contracts.eventSchema, arbitraries.tadpoleEvent],
  evidenceSchema: [contracts.evidenceSchema, arbitraries.evidence],
  auditCheckSchema: [contracts.auditCheckSchema, arbitraries.auditCheck],
  auditVerdictSchema: [contracts.auditVerdictSchema, arbitraries.auditVerdict],
  findingSchema: [contracts.findingSchema, arbitraries.finding],
  hackCategorySchema: [contracts.hackCategorySchema, arbitraries.hackCategory],
  gateSchema: [contracts.gateSchema, arbitraries.gate],
  generatedLineageSchema: [contracts.generatedLineageSchema, arbitraries.generatedLineage],
  importedLineageSchema: [contracts.importedLineageSchema, arbitraries.importedLineage],
  writtenLineageSchema: [contracts.writtenLineageSchema, arbitraries.writtenLineage],
  scriptVerifierSchema: [contracts.scriptVerifierSchema, arbitraries.scriptVerifier],
  testsVerifierSchema: [contracts.testsVerifierSchema, arbitraries.testsVerifier],
  lineageSchema: [contracts.lineageSchema, arbitraries.lineage],
  messageSchema: [contracts.messageSchema, arbitraries.message],
  networkSchema: [contracts.networkSchema, arbitraries.network],
  outcomeSchema: [contracts.outcomeSchema, arbitraries.outcome],
  rateSchema: [contracts.rateSchema, arbitraries.rate],
  relativePathSchema: [contracts.relativePathSchema, arbitraries.relativePath],
  rolloutPhaseSchema: [contracts.rolloutPhaseSchema, arbitraries.rolloutPhase],
  discardReasonSchema: [contracts.discardReasonSchema, arbitraries.discardReason],
  rolloutPurposeSchema: [contracts.rolloutPurposeSchema, arbitraries.rolloutPurpose],
  samplingSchema: [contracts.samplingSchema, arbitraries.sampling],
  sandboxLimitsSchema: [contracts.sandboxLimitsSchema, arbitraries.sandboxLimits],
  scoredSchema: [contracts.scoredSchema, arbitraries.scored],
  severitySchema: [contracts.severitySchema, arbitraries.severity],
  statementRungSchema: [contracts.statementRungSchema, arbitraries.statementRung],
  stopReasonSchema: [contracts.stopReasonSchema, arbitraries.stopReason],
  systemMessageSchema: [contracts.systemMessageSchema, arbitraries.systemMessage],
  taskDataSchema: [contracts.taskDataSchema, arbitraries.taskData],
  taskEnvironmentSchema: [contracts.taskEnvironmentSchema, arbitraries.taskEnvironment],
  taskTypeSchema: [contracts.taskTypeSchema, arbitraries.taskType],
  testResultSchema: [contracts.testResultSchema, arbitraries.testResult],
  testRunnerSchema: [contracts.testRunnerSchema, arbitraries.testRunner],
  tokenSegmentSchema: [contracts.tokenSegmentSchema, arbitraries.tokenSegment],
  toolCallSchema: [contracts.toolCallSchema, arbitraries.toolCall],
  toolMessageSchema: [contracts.toolMessageSchema, arbitraries.toolMessage],
  trajectorySchema: [contracts.trajectorySchema, arbitraries.trajectory],
  turnSchema: [contracts.turnSchema, arbitraries.turn],
  turnTokensSchema: [contracts.turnTokensSchema, arbitraries.turnTokens],
  unscoredReasonSchema: [contracts.unscoredReasonSchema, arbitraries.unscoredReason],
  unscoredSchema: [contracts.unscoredSchema, arbitraries.unscored],
  usageSchema: [contracts.usageSchema, arbitraries.usage],
  userMessageSchema: [contracts.userMessageSchema, arbitraries.userMessage],
  verifierSchema: [contracts.verifierSchema, arbitraries.verifier],
};

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('round trips', () => {
  it('cover every schema that the entry exports', () => {
    const exported = Object.keys(contracts).filter((name) => name.endsWith('Schema'));
    expect(exported.sort()).toEqual(Object.keys(cases).sort());
  });

  it.each(Object.entries(cases))('%s reads back from JSON text what was written', (_name, [schema, arbitrary]) => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(schema.parse(JSON.parse(JSON.stringify(value)))).toStrictEqual(value);
      }),
    );
  });

  it.each(Object.entries(cases))('%s refuses an unknown key and a null', (_name, [schema, arbitrary]) => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(schema.safeParse(null).success).toBe(false);
        if (isPlainObject(value)) {
          expect(schema.safeParse({ ...value, unexpected: 1 }).success).toBe(false);
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each(Object.entries(cases))('%s takes back any object without a key only where that key is optional', (_name, [schema, arbitrary]) => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        if (!isPlainObject(value)) {
          return;
        }
        for (const key of Object.keys(value)) {
          const { [key]: _removed, ...rest } = value;
          const mayBeAbsent = optionalKeys.has(key) && !requiredValues.has(value[key]);
          expect([key, schema.safeParse(rest).success]).toEqual([key, mayBeAbsent]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Every key, of any schema, that may be left out: optional ones and those with a default. */
const optionalKeys = new Set([
  'cpuMs',
  'exoneratedBy',
  'paths',
  'reported',
  'rewardBefore',
  'reasoning',
  'taskType',
  'parts',
  'versionIndices',
  'toolCalls',
  'message',
  'expected',
  'observed',
  'kind',
  'phase',
  'redactions',
  'costUsd',
  'temperature',
  'topP',
  'topK',
  'workspacePath',
  'parent',
  'calibration',
  'origin',
  'image',
  'env',
  'configFile',
  'preferredReward',
  'warnings',
  'turn',
  'call',
  'error',
]);

/** Values by which a required key is told from an optional one of the same name: a union's `kind`, the `origin` of a calibration. */
const requiredValues = new Set<unknown>(['generated', 'imported', 'written', 'tests', 'script', 'fresh', 'bank']);
