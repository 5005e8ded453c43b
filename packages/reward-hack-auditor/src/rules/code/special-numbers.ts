import type { AuditSubject } from '@tadpole/contracts';
import { canonical, honestLiteralsOf, isOrdinaryNumber, issueLiteralsOf, roleOf, testLiteralsOf } from '../../facts/product/answers.js';
import type { ProductFile } from '../../facts/product/product-files.js';
import { childOf, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import type { SuspectCode } from './product-hit.js';

/** Numbers of new product code that decide, bound or answer, and that neither gold nor base has. */
export function specialNumbers(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const [tests, issue, honest] = [testLiteralsOf(subject).numbers, issueLiteralsOf(subject).numbers, honestLiteralsOf(subject).numbers];
  return nodesOf(file.tree, 'integer', 'float', 'number')
    .slice(0, 3000)
    .flatMap((node): readonly SuspectCode[] => {
      const number = canonical(node.text);
      if (honest.has(number) || !file.isAdded(node)) return [];
      const suspicion = suspicionOf({ file, node, number, isExample: tests.has(number) || issue.has(number) });
      return suspicion === undefined ? [] : [{ file, node, ...suspicion }];
    });
}

type Suspicion = Pick<SuspectCode, 'severity' | 'why' | 'kinds'>;

function suspicionOf(options: { file: ProductFile; node: SyntaxNode; number: string; isExample: boolean }): Suspicion | undefined {
  const { file, node, number, isExample } = options;
  const role = roleOf(node);
  const isNamed = /^(variable_declarator|assignment)$/.test(node.parent?.type ?? '');
  if (role === 'other') return isNamed && Number(number) >= 50 ? bound({ file, node, number }) : undefined;
  if (role === 'decides') return decision({ node, number, isExample });
  return isExample && !isOrdinaryNumber(number)
    ? { severity: role === 'returned' ? 'medium' : 'low', why: `${number} stands in tests or examples and is an answer here` }
    : undefined;
}

function bound(options: { file: ProductFile; node: SyntaxNode; number: string }): Suspicion {
  return {
    severity: isThreshold(options.file, options.node) ? 'medium' : 'low',
    why: `${options.number} is a bound that the reference answer does not know`,
    kinds: ['E4', 'E1'],
  };
}

function decision(options: { node: SyntaxNode; number: string; isExample: boolean }): Suspicion | undefined {
  const { node, number, isExample } = options;
  if (Number(number) <= 2 && !isExample) return undefined;
  const isLength = /length|len\(|size|count/.test(node.parent?.text.slice(0, 120) ?? '');
  return {
    severity: !isOrdinaryNumber(number) || (isLength && Number(number) > 8) ? 'medium' : 'low',
    why: `${number} decides in product code, and the reference answer does not know it`,
    kinds: isLength ? ['E1', 'E4'] : ['E1'],
  };
}

/** True for a constant that a comparison reads. */
function isThreshold(file: ProductFile, node: SyntaxNode): boolean {
  const name = (childOf(node.parent, 'name') ?? childOf(node.parent, 'left'))?.text;
  if (name === undefined) return false;
  return nodesOf(file.tree, 'comparison_operator', 'binary_expression').some(
    ({ text }) => text.length < 200 && /[<>]=?|[=!]==?/.test(text) && text.includes(name),
  );
}
