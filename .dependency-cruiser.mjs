/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'contracts-only',
      comment: 'A package imports @tadpole/contracts and nothing else of ours; only tadpole, examples/ and test/ put packages together.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: '^packages/tadpole/' },
      to: { path: '^packages/', pathNot: '^packages/(contracts|$1)/' },
    },
    {
      name: 'contracts-alone',
      comment: 'The contracts stand on zod alone.',
      severity: 'error',
      from: { path: '^packages/contracts/src/' },
      to: { pathNot: ['^packages/contracts/src/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'through-the-entry',
      comment: 'What a package does not export is not for others: a relative path into another package goes round its entry.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'source-without-tests',
      comment: 'What is published never imports a test, an example or a benchmark.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: ['^packages/[^/]+/test/', '^(test|examples|benchmarks)/'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere would also hide from the rules above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: {
      path: [
        '/test/fixtures/',
        '^examples/tasks/',
        '/dist/',
        '^packages/(task-runtime|reward-hack-auditor)/assets/',
        '^packages/embedded-policy/base/',
      ],
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['@tadpole/source', 'node', 'import', 'default', 'types'] },
  },
};
