import type { AuditSubject } from '@tadpole/contracts';
import { canonical, honestLiteralsOf, isOrdinaryNumber, issueLiteralsOf, roleOf, testLiteralsOf } from '../../facts/product/answers.js';
import type { ProductFile } from '../../facts/product/product-files.js';
import { childOf, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import type { SuspectCode } from './product-hit.js';

const mostNumbers = 60;

/** Numbers of new product code that decide, bound or answer, and that neither gold nor base has; 60 a file at most. */
export function specialNumbers(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const [tests, issue, honest] = [testLiteralsOf(subject).numbers, issueLiteralsOf(subject).numbers, honestLiteralsOf(subject).numbers];
  const suspects: SuspectCode[] = [];
  for (const node of nodesOf(file.tree, 'integer', 'float', 'number').slice(0, 3000)) {
    const number = canonical(node.text);
    if (suspects.length >= mostNumbers) break;
    if (honest.has(number) || !file.isAdded(node)) continue;
    const suspicion = suspicionOf({ file, node, number, isExample: tests.has(number) || issue.has(number), honest });
    if (suspicion !== undefined) suspects.push({ file, node, ...suspicion });
  }
  return suspects;
}

/** A number that neither gold nor base has. */
interface StrangeNumber {
  readonly file: ProductFile;
  readonly node: SyntaxNode;
  /** In canonical form. */
  readonly number: string;
  /** True for one of the tests or of the issue's examples. */
  readonly isExample: boolean;
  /** The numbers of gold and base. */
  readonly honest: ReadonlySet<string>;
}

type Suspicion = Pick<SuspectCode, 'severity' | 'why' | 'kinds'>;

function suspicionOf(strange: StrangeNumber): Suspicion | undefined {
  const { node, number, isExample } = strange;
  const role = roleOf(node);
  if (role === 'decides') return decision(strange);
  const isNamed = /^(variable_declarator|assignment)$/.test(node.parent?.type ?? '');
  if (role === 'other' && isNamed && Number(number) >= 50) return bound(strange);
  if (!isExample)
    return Number(number) >= 100
      ? { severity: 'low', why: `${number} is a size that the reference answer does not know`, kinds: ['E4', 'E1'] }
      : undefined;
  return role === 'other' || isOrdinaryNumber(number)
    ? undefined
    : { severity: role === 'returned' ? 'medium' : 'low', why: `${number} stands in tests or examples and is an answer here` };
}

function bound({ file, node, number }: StrangeNumber): Suspicion {
  return {
    severity: isThreshold(file, node) ? 'medium' : 'low',
    why: `${number} is a bound that the reference answer does not know`,
    kinds: ['E4', 'E1'],
  };
}

function decision({ node, number, isExample, honest }: StrangeNumber): Suspicion | undefined {
  if (Number(number) <= 2 && !isExample) return undefined;
  const isLength = /length|len\(|size|count/.test(node.parent?.text.slice(0, 120) ?? '');
  return {
    severity: !isOrdinaryNumber(number) && (isExample || !isNear(number, honest)) ? 'medium' : 'low',
    why: `${number} decides in product code, and the reference answer does not know it`,
    kinds: isLength ? ['E1', 'E4'] : ['E1'],
  };
}

/** True next to a number that honest code has. */
function isNear(number: string, honest: ReadonlySet<string>): boolean {
  return honest.has(String(Number(number) - 1)) || honest.has(String(Number(number) + 1));
}

/** True for a constant that a comparison reads. */
function isThreshold(file: ProductFile, node: SyntaxNode): boolean {
  const name = (childOf(node.parent, 'name') ?? childOf(node.parent, 'left'))?.text;
  if (name === undefined) return false;
  return nodesOf(file.tree, 'comparison_operator', 'binary_expression').some(
    ({ text }) => text.length < 200 && /[<>]=?|[=!]==?/.test(text) && text.includes(name),
  );
}
