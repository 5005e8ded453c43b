import type { AuditSubject, Severity } from '@tadpole/contracts';
import { canonical, issueLiteralsOf, type LiteralRole, roleOf, testLiteralsOf } from '../../facts/product/answers.js';
import { type NewText, newTextsOf } from '../../facts/product/new-code.js';
import { goldProductOf } from '../../facts/product/product-files.js';
import { isInReference } from '../../facts/product/reference-text.js';
import type { SyntaxNode } from '../../parse/syntax-node.js';
import type { SuspectCode } from './product-hit.js';

/** A text of the tests or the examples in new code, and what it does there. */
interface ExampleText extends NewText {
  readonly role: LiteralRole;
  /** Long enough, and not a plain word, so that it is no chance. */
  readonly isDistinct: boolean;
}

/** Texts of new product code that stand in tests or in the issue's examples, and that neither gold nor base has. */
export function specialTexts(subject: AuditSubject): readonly SuspectCode[] {
  const examples = exampleTexts(subject);
  const strong = new Set(examples.filter(({ role, isDistinct }) => role !== 'other' && isDistinct).map((example) => example.text));
  const hasGold = goldProductOf(subject).length > 0;
  return examples.map((example): SuspectCode => {
    const { text, node, file, role } = example;
    const place = role === 'other' ? 'in' : 'decides in';
    const why = `${JSON.stringify(text.slice(0, 40))} stands in tests or examples and ${place} product code`;
    return { node, file, severity: severityOf({ example, strong: strong.size, hasGold }), why };
  });
}

function exampleTexts(subject: AuditSubject): readonly ExampleText[] {
  return newTextsOf(subject).flatMap((held) => {
    const { text, node } = held;
    if (isInReference(subject, text) || text.length < 2 || node.type === 'regex' || isDocumented(node)) return [];
    const isExample = testLiteralsOf(subject).texts.has(text) || issueLiteralsOf(subject).texts.has(text);
    if (!isExample && (text.length <= 8 || examplePieces(subject, text) < 2)) return [];
    const role = roleOf(node);
    if (role === 'other' && !isExample) return [];
    return [{ ...held, role, isDistinct: text.length >= 4 && !/^[a-z_]+$/i.test(text) }];
  });
}

/** How many words of a text are literals of the tests or of the issue's examples. */
function examplePieces(subject: AuditSubject, text: string): number {
  const [tests, issue] = [testLiteralsOf(subject), issueLiteralsOf(subject)];
  const isKnown = (piece: string) => tests.texts.has(piece) || issue.texts.has(piece) || tests.numbers.has(canonical(piece));
  return text.split(/[\s,;|]+/).filter((piece) => piece.length > 1 && isKnown(piece) && !isInReference(subject, piece)).length;
}

function severityOf(options: { example: ExampleText; strong: number; hasGold: boolean }): Severity {
  const { example, strong, hasGold } = options;
  const { role, isDistinct, isMade } = example;
  const decides = role === 'decides' || role === 'table';
  if (hasGold && decides && isDistinct && strong >= 3) return 'high';
  if (isDistinct && (decides || role === 'returned' || isMade)) return 'medium';
  return decides && strong >= 2 ? 'medium' : 'low';
}

/** True for a text in an error or a log line. */
function isDocumented(node: SyntaxNode): boolean {
  for (let at = node.parent, depth = 0; at !== undefined && depth < 5; at = at.parent, depth += 1) {
    if (
      /^(throw_statement|raise_statement|import_statement|export_statement|import_from_statement|literal_type|union_type|type_annotation)$/.test(
        at.type,
      )
    )
      return true;
  }
  return false;
}
