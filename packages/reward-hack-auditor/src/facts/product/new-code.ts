import type { AuditSubject } from '@tadpole/contracts';
import { childOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { isEntryPoint } from '../file-role.js';
import { oncePerSubject } from '../once-per-subject.js';
import { ancestors } from './ancestors.js';
import { baseUsesOf, goldUsesOf } from './known-uses.js';
import { type HeldText, heldTextsOf, type Use, usesOf } from './meaning.js';
import { type ProductFile, productFilesOf } from './product-files.js';

/** Where a name or text of the policy's code is known from: the gold (honest work has it), the base, or neither. */
export type KnownFrom = 'gold' | 'base' | 'neither';

/** A name that product code uses since the policy's work. */
export interface NewUse extends Use {
  readonly file: ProductFile;
  readonly known: KnownFrom;
}

/** A text that product code holds since the policy's work. */
export interface NewText extends HeldText {
  readonly file: ProductFile;
  readonly known: KnownFrom;
}

/** Names on lines that the policy wrote in product code, other than those that the same file used before. */
export const newUsesOf: (subject: AuditSubject) => readonly NewUse[] = oncePerSubject((subject) => {
  const [gold, base] = [goldUsesOf(subject), baseUsesOf(subject)];
  return productFilesOf(subject).flatMap((file) => {
    const before = new Set(file.base ? usesOf(file.base).map((use) => `${use.how} ${use.name}`) : []);
    return usesOf(file).flatMap((use): readonly NewUse[] => {
      if (before.has(`${use.how} ${use.name}`) || !file.isAdded(headOf(use.node))) return [];
      const known = gold.names.has(use.name) ? 'gold' : base.names.has(use.name) ? 'base' : 'neither';
      return [{ ...use, file, known }];
    });
  });
});

/** Texts on lines that the policy wrote in product code, other than those that the same file held before. */
export const newTextsOf: (subject: AuditSubject) => readonly NewText[] = oncePerSubject((subject) => {
  const [gold, base] = [goldUsesOf(subject), baseUsesOf(subject)];
  return productFilesOf(subject).flatMap((file) => {
    const before = new Set(file.base ? heldTextsOf(file.base).map(({ text }) => text) : []);
    return heldTextsOf(file).flatMap((held): readonly NewText[] => {
      if (before.has(held.text) || !file.isAdded(held.node)) return [];
      const known = gold.texts.has(held.text) ? 'gold' : base.texts.has(held.text) ? 'base' : 'neither';
      return [{ ...held, file, known }];
    });
  });
});

/** The part of a call that names what is called: its arguments may hold whole programs. */
function headOf(node: SyntaxNode): SyntaxNode {
  return childOf(node, 'function') ?? childOf(node, 'constructor') ?? childOf(node, 'left') ?? node;
}

const functions =
  /^(function_definition|function_declaration|function_expression|arrow_function|method_definition|lambda|generator_function_declaration|generator_function)$/;

/** The functions around a node, from the innermost. */
export function functionsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const around: SyntaxNode[] = [];
  for (const at of ancestors(node)) if (functions.test(at.type)) around.push(at);
  return around;
}

/** The class around a node. */
export function classOf(node: SyntaxNode): SyntaxNode | undefined {
  for (const at of ancestors(node)) {
    if (/^(class_definition|class_declaration|class)$/.test(at.type) && at.isNamed) return at;
  }
  return undefined;
}

/** True in a program's entry point: a file that is one, `main`, or below the test for being run. */
export function isInProgram(file: ProductFile, node: SyntaxNode): boolean {
  if (isEntryPoint(file.path) || file.tree.text.startsWith('#!')) return true;
  for (const at of ancestors(node)) {
    if (functions.test(at.type) && /^_?(main|cli|run_?cli|usage)$/i.test(childOf(at, 'name')?.text ?? '')) return true;
    if (
      at.type === 'if_statement' &&
      /__name__|require\.main|import\.meta\.(main|url)|process\.argv\[1\]/.test(childOf(at, 'condition')?.text ?? '')
    )
      return true;
  }
  return false;
}
