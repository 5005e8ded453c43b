import { TadpoleError } from '@tadpole/contracts';
import type { z } from 'zod';
import type { AtifContent } from './atif-content.js';
import { type AtifDocument, type AtifStep, atifDocumentSchema } from './atif-document.js';
import { parseAtif } from './parse-atif.js';

/** The version that is written. */
export const atifVersion = 'ATIF-v1.8';

/** Agents that start agents that start agents; a cyclic document has no end. */
const MAX_DEPTH = 16;

/**
 * Reads an ATIF document of any version 1.x, of any harness, as one of 1.8: older versions lack members and differ in
 * nothing else, so they get the new label, and `audio/mp3` becomes `audio/mpeg`. A later version keeps its label and the
 * members that this one does not know. Embedded documents of subagents are read as well.
 *
 * @throws TadpoleError `invalid-input` for a document that breaks the format or its rules, or nests subagents deeper than 16.
 */
export function readAtif(document: unknown): AtifDocument {
  return readNested(document, 0);
}

function readNested(document: unknown, depth: number): AtifDocument {
  if (depth > MAX_DEPTH)
    throw new TadpoleError({
      code: 'invalid-input',
      message: `ATIF document: expected subagents nested at most ${MAX_DEPTH} deep, received deeper or endless ones.`,
    });
  const parsed = parseAtif(atifDocumentSchema, document, 'document');
  return {
    ...parsed,
    schema_version: isLater(parsed.schema_version) ? parsed.schema_version : atifVersion,
    steps: parsed.steps.map(withPlainMediaTypes),
    ...(parsed.subagent_trajectories === undefined
      ? {}
      : { subagent_trajectories: parsed.subagent_trajectories.map((nested) => readNested(nested, depth + 1)) }),
  };
}

function isLater(version: z.infer<typeof atifDocumentSchema>['schema_version']): boolean {
  return Number(version.split('.')[1]) > Number(atifVersion.split('.')[1]);
}

function withPlainMediaTypes(step: AtifStep): AtifStep {
  const message = plainContent(step.message);
  if (step.observation === undefined) return { ...step, message };
  const results = step.observation.results.map((result) =>
    result.content === undefined || result.content === null ? result : { ...result, content: plainContent(result.content) },
  );
  return { ...step, message, observation: { ...step.observation, results } };
}

function plainContent(content: AtifContent): AtifContent {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.type === 'audio' && part.source.media_type === 'audio/mp3'
      ? { ...part, source: { ...part.source, media_type: 'audio/mpeg' } }
      : part,
  );
}
