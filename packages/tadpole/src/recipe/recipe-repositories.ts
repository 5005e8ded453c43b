import type { Repository } from '../run/configuration.js';

const distributed = (
  name: string,
): Pick<Repository, 'runner' | 'sourceFiles' | 'testFiles' | 'hiddenPaths' | 'dropPaths' | 'dependencies'> => ({
  runner: 'mocha',
  sourceFiles: [`dist/${name}.js`],
  testFiles: [`tests/${name}.test.js`],
  hiddenPaths: ['tests'],
  dropPaths: ['src', 'examples', `dist/${name}.mjs`, `dist/${name}.min.js`],
  dependencies: ['mocha'],
});

/**
 * The third-party packages that the recipe's tasks are made from, as `npm ci` installs them. Training never
 * sees a held-out file; quaternion, functional-red-black-tree and sat are held out whole. Built copies are
 * dropped, since the answer lies in them; ajv.test.js of fast-uri needs a package that is not installed.
 */
export const recipeRepositories: readonly Repository[] = [
  { package: 'fraction.js', heldOutFiles: [], ...distributed('fraction') },
  { package: 'complex.js', heldOutFiles: [], ...distributed('complex') },
  {
    package: 'fast-uri',
    runner: 'tape',
    sourceFiles: ['index.js', 'lib/schemes.js', 'lib/utils.js'],
    heldOutFiles: ['lib/schemes.js'],
    testFiles: [
      'test/equal.test.js',
      'test/host-encoding.test.js',
      'test/ipv6-canonical.test.js',
      'test/ipv6-validation.test.js',
      'test/mailto-field-name-security.test.js',
      'test/malformed-urn.test.js',
      'test/parse.test.js',
      'test/resolve.test.js',
      'test/rfc-3986.test.js',
      'test/scheme-normalization.test.js',
      'test/serialize.test.js',
      'test/urn-full-input.test.js',
      'test/util.test.js',
      'test/websocket-query-preservation.test.js',
    ],
    hiddenPaths: ['test'],
    dropPaths: ['benchmark', 'types'],
    dependencies: ['tape'],
  },
  {
    package: 'hash.js',
    runner: 'mocha',
    sourceFiles: [
      'lib/hash/common.js',
      'lib/hash/hmac.js',
      'lib/hash/ripemd.js',
      'lib/hash/utils.js',
      'lib/hash/sha/1.js',
      'lib/hash/sha/224.js',
      'lib/hash/sha/256.js',
      'lib/hash/sha/384.js',
      'lib/hash/sha/512.js',
      'lib/hash/sha/common.js',
    ],
    heldOutFiles: [],
    testFiles: ['test/hash-test.js', 'test/hmac-test.js'],
    hiddenPaths: ['test'],
    dropPaths: [],
    dependencies: ['mocha', 'inherits', 'minimalistic-assert'],
  },
  {
    package: 'bit-twiddle',
    runner: 'tape',
    sourceFiles: ['twiddle.js'],
    heldOutFiles: [],
    testFiles: ['test/interleave2.js', 'test/interleave3.js', 'test/test.js'],
    hiddenPaths: ['test'],
    dropPaths: [],
    dependencies: ['tape'],
  },
  {
    package: 'sorted-array-functions',
    runner: 'tape',
    sourceFiles: ['index.js'],
    heldOutFiles: [],
    testFiles: ['test.js'],
    hiddenPaths: ['test.js'],
    dropPaths: ['example.js'],
    dependencies: ['tape'],
  },
  { package: 'quaternion', heldOutFiles: ['dist/quaternion.js'], ...distributed('quaternion') },
  {
    package: 'functional-red-black-tree',
    runner: 'tape',
    sourceFiles: ['rbtree.js'],
    heldOutFiles: ['rbtree.js'],
    testFiles: ['test/test.js'],
    hiddenPaths: ['test'],
    dropPaths: ['bench'],
    dependencies: ['tape', 'iota-array'],
  },
  {
    package: 'sat',
    runner: 'mocha',
    sourceFiles: ['SAT.js'],
    heldOutFiles: ['SAT.js'],
    testFiles: ['test/test.js'],
    hiddenPaths: ['test'],
    dropPaths: ['examples'],
    dependencies: ['mocha'],
  },
];
