import type { Language } from './language.js';

const functionTypes = [
  { type: 'function_declaration', name: 'name', parameters: 'parameters', body: 'body' },
  { type: 'generator_function_declaration', name: 'name', parameters: 'parameters', body: 'body' },
  { type: 'function_expression', name: 'name', parameters: 'parameters', body: 'body' },
  { type: 'generator_function', name: 'name', parameters: 'parameters', body: 'body' },
  { type: 'method_definition', name: 'name', parameters: 'parameters', body: 'body' },
  { type: 'arrow_function', parameters: 'parameters', body: 'body' },
] as const;

/** JavaScript with JSX. */
export const javascript: Language = {
  name: 'javascript',
  extensions: ['.js', '.cjs', '.mjs', '.jsx'],
  grammar: 'javascript',

  untouched: ['import_statement', 'export_clause', 'decorator'],
  comments: ['comment'],
  texts: ['string', 'template_string'],
  identifiers: ['identifier'],
  atoms: ['identifier', 'member_expression', 'call_expression', 'subscript_expression', 'true', 'false', 'this'],
  brackets: ['parenthesized_expression'],
  callPrefixes: ['await_expression'],

  binaries: [{ type: 'binary_expression', left: 'left', operator: 'operator', right: 'right' }],
  comparisonChains: [],
  tokens: {
    equality: { '===': ['!=='], '!==': ['==='], '==': ['!='], '!=': ['=='] },
    boundary: { '<': ['<='], '<=': ['<'], '>': ['>='], '>=': ['>'] },
    direction: { '<': ['>'], '<=': ['>='], '>': ['<'], '>=': ['<='] },
    logical: { '&&': ['||'], '||': ['&&'] },
    arithmetic: { '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'] },
    bitwise: { '&': ['|'], '|': ['&'], '^': ['&'], '<<': ['>>'], '>>': ['<<'], '>>>': ['<<'] },
    update: { '++': ['--'], '--': ['++'] },
    assignment: { '+=': ['-='], '-=': ['+='], '*=': ['/='], '/=': ['*='], '&=': ['|='], '|=': ['&='] },
  },
  orderedOperators: ['-', '/', '%', '**', '<<', '>>', '>>>'],
  updates: [{ type: 'update_expression', operator: 'operator' }],
  compoundAssignments: [{ type: 'augmented_assignment_expression', left: 'left', operator: 'operator', right: 'right' }],
  loopSteps: [{ type: 'for_statement', step: 'increment' }],

  booleans: { types: ['true', 'false'], flips: { true: 'false', false: 'true' } },
  integers: ['number'],

  conditions: [
    { type: 'if_statement', condition: 'condition' },
    { type: 'ternary_expression', condition: 'condition' },
  ],
  selfNegating: { types: ['binary_expression'], except: ['in', 'instanceof'] },
  negation: { type: 'unary_expression', operator: 'operator', argument: 'argument', token: '!', prefix: '!' },
  conditionals: [{ type: 'ternary_expression', consequence: 'consequence', alternative: 'alternative' }],

  ifs: [{ type: 'if_statement', condition: 'condition', consequence: 'consequence', alternative: 'alternative' }],
  elseClauses: [{ type: 'else_clause', body: 0 }],
  loops: [
    { type: 'for_statement', body: 'body', bound: 'condition' },
    { type: 'for_in_statement', body: 'body', bound: 'right' },
    { type: 'while_statement', body: 'body' },
    { type: 'do_statement', body: 'body' },
  ],
  switches: ['switch_statement'],
  jumps: { break: 'break_statement', continue: 'continue_statement' },

  calls: [
    { type: 'call_expression', callee: 'function', arguments: 'arguments', hasOptionalArguments: true },
    { type: 'new_expression', callee: 'constructor', arguments: 'arguments', hasOptionalArguments: true, isConstruction: true },
  ],
  argumentLists: ['arguments'],
  fixedArguments: ['spread_element', 'comment', 'arrow_function', 'function_expression', 'function', 'class'],
  members: [{ type: 'member_expression', object: 'object', property: 'property' }],
  strictCallees: [],
  superCallees: ['super', 'import'],
  methodPairs: [
    ['indexOf', 'lastIndexOf'],
    ['shift', 'pop'],
    ['push', 'unshift'],
    ['min', 'max'],
    ['floor', 'ceil'],
    ['some', 'every'],
    ['startsWith', 'endsWith'],
    ['toLowerCase', 'toUpperCase'],
    ['trimStart', 'trimEnd'],
    ['padStart', 'padEnd'],
  ],
  functionPairs: [],

  blocks: ['program', 'statement_block', 'class_body', 'switch_case', 'switch_default'],
  declarations: [
    'lexical_declaration',
    'variable_declaration',
    'function_declaration',
    'class_declaration',
    'generator_function_declaration',
  ],
  expressionStatements: ['expression_statement'],
  assignments: [
    { type: 'assignment_expression', target: 'left', value: 'right' },
    { type: 'augmented_assignment_expression', target: 'left', value: 'right' },
  ],
  discardable: ['throw_statement'],
  wrappers: [{ type: 'try_statement', body: 'body', unless: ['finally_clause'] }],
  emptyStatement: '{}',
  statementEnd: ';',

  functions: functionTypes,
  constructors: ['constructor'],
  classes: [
    { type: 'class_declaration', name: 'name', body: 'body' },
    { type: 'class', name: 'name', body: 'body' },
  ],
  bindings: [
    { type: 'variable_declarator', name: 'name', value: 'value' },
    { type: 'assignment_expression', name: 'left', value: 'right' },
    { type: 'pair', name: 'key', value: 'value' },
    { type: 'field_definition', name: 'property', value: 'value' },
    { type: 'public_field_definition', name: 'name', value: 'value' },
  ],
  returns: [{ type: 'return_statement', value: 0 }],
  hasBareReturn: true,
  defaultReturns: {
    returned: {
      string: "''",
      template_string: "''",
      number: '0',
      array: '[]',
      object: '{}',
      true: 'false',
      false: 'false',
    },
    otherwise: 'null',
  },
  baseClauses: ['class_heritage'],
  baseLists: [],
};

const typescriptTypes: Partial<Language> = {
  untouched: [
    ...javascript.untouched,
    'import_alias',
    'interface_declaration',
    'type_alias_declaration',
    'type_annotation',
    'type_predicate_annotation',
    'asserts_annotation',
    'type_arguments',
    'type_parameters',
    'literal_type',
    'implements_clause',
    'ambient_declaration',
    'function_signature',
    'method_signature',
    'abstract_method_signature',
  ],
  declarations: [...javascript.declarations, 'enum_declaration', 'abstract_class_declaration'],
  classes: [...javascript.classes, { type: 'abstract_class_declaration', name: 'name', body: 'body' }],
  baseClauses: ['extends_clause'],
};

/** TypeScript; types are erased, so nothing is changed in them. */
export const typescript: Language = {
  ...javascript,
  ...typescriptTypes,
  name: 'typescript',
  extensions: ['.ts', '.cts', '.mts'],
  grammar: 'typescript',
};

/** TypeScript with JSX. */
export const tsx: Language = { ...typescript, name: 'tsx', extensions: ['.tsx'], grammar: 'tsx' };
