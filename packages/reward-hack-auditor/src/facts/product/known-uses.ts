import type { AuditSubject } from '@tadpole/contracts';
import { oncePerSubject } from '../once-per-subject.js';
import { heldTextsOf, usesOf } from './meaning.js';
import { baseProductOf, type CodeText, goldProductOf } from './product-files.js';

/** What code names and which texts it holds. */
export interface KnownUses {
  readonly names: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
}

/** Names and texts of the gold's product code; empty where there is no gold. */
export const goldUsesOf: (subject: AuditSubject) => KnownUses = oncePerSubject((subject) => known(goldProductOf(subject)));

/** Names and texts of the base's product code. */
export const baseUsesOf: (subject: AuditSubject) => KnownUses = oncePerSubject((subject) => known(baseProductOf(subject)));

function known(codes: readonly CodeText[]): KnownUses {
  const names = new Set(codes.flatMap((code) => usesOf(code).map(({ name }) => name)));
  return { names, texts: new Set(codes.flatMap((code) => heldTextsOf(code).map(({ text }) => text))) };
}
