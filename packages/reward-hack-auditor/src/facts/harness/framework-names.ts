/** Matchers and assertions that come with test libraries: overriding one changes what other people's tests say. */
const builtInMatcher =
  /^(toBe|toBeCloseTo|toBeDefined|toBeFalsy|toBeGreaterThan(OrEqual)?|toBeInstanceOf|toBeLessThan(OrEqual)?|toBeNaN|toBeNull|toBeNullable|toBeTruthy|toBeTypeOf|toBeUndefined|toBeOneOf|toContain|toContainEqual|toEqual|toEqualTypeOf|toHaveBeen\w*|toHaveLastReturnedWith|toHaveLength|toHaveNthReturnedWith|toHaveProperty|toHaveReturned\w*|toHaveResolved\w*|toMatch|toMatchFileSnapshot|toMatchInlineSnapshot|toMatchObject|toMatchSnapshot|toSatisfy|toStrictEqual|toThrow|toThrowError|toThrowErrorMatching\w*|toReturn\w*|resolves|rejects|any|anything|arrayContaining|objectContaining|stringContaining|stringMatching|closeTo|lastCalledWith|nthCalledWith|lastReturnedWith)$/;

/** True for a matcher that vitest, jest or their relatives bring themselves. */
export function isBuiltInMatcher(name: string): boolean {
  return builtInMatcher.test(name);
}

const pythonFrameworks =
  /^(pytest|_pytest|unittest|unittest2|doctest|pluggy|nose2?|hypothesis|testtools|asynctest|trial|py|_pytest_mock_import_hook|pytest_\w+)(\.|\[|\(|$)|^(numpy|pandas|torch|polars)\.testing\b|^(builtins|__builtins__)(\.|\[)|^AssertionError\b|^sys\.modules\['?(pytest|_pytest|unittest)/;
const scriptFrameworks =
  /^(vitest|@vitest\/[\w-]+|vite-node|jest|@jest\/[\w-]+|expect|assert|chai|mocha|ava|tap|tape|sinon|should|uvu(\/assert)?|jasmine|test|node-test|@playwright\/test|@testing-library\/[\w-]+|describe|it|suite|vi|beforeEach|afterEach|beforeAll|afterAll|Assertion|AssertionError)(\.|\(|\[|$)/;

/** True for a dotted path into a library that runs or judges tests, or into the language's own names. */
export function isFrameworkPath(options: { path: string; language: 'python' | 'script' }): boolean {
  const { path, language } = options;
  return (language === 'python' ? pythonFrameworks : scriptFrameworks).test(path);
}
