export { createMutationGenerator } from './generator/create-mutation-generator.js';
export type { MutationOperator, Replacement, SyntaxNode } from './generator/mutation-operator.js';
export { mutationOperators } from './generator/mutation-operators.js';
export { seededRandom } from './seeded-random.js';
