'use strict';

function mockFunction(implementation = () => undefined) {
  let current = implementation;
  const once = [];
  const calls = [];
  const results = [];
  const mocked = function (...given) {
    calls.push(Object.assign([...given], { arguments: given }));
    const value = (once.shift() ?? current).apply(this, given);
    results.push({ type: 'return', value });
    return value;
  };
  mocked.mock = { calls, results, callCount: () => calls.length, resetCalls: () => calls.splice(0) };
  Object.assign(mocked, {
    mockImplementation(next) {
      current = next;
      return mocked;
    },
    mockReturnValue: (value) => mocked.mockImplementation(() => value),
    mockResolvedValue: (value) => mocked.mockImplementation(async () => value),
    mockRejectedValue: (value) => mocked.mockImplementation(() => Promise.reject(value)),
    mockReturnValueOnce(value) {
      once.push(() => value);
      return mocked;
    },
    mockImplementationOnce(next) {
      once.push(next);
      return mocked;
    },
    mockClear: () => void calls.splice(0),
    mockReset: () => void calls.splice(0),
    mockRestore() {},
  });
  return mocked;
}

/** Functions that record their calls, and their taking back. Clocks and modules that are replaced are not here: such tests say nothing. */
function createMocks() {
  const undo = [];
  const replace = (owner, name, implementation) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const original = owner[name];
    const mocked = mockFunction(implementation ?? original);
    owner[name] = mocked;
    const restore = () => (descriptor === undefined ? delete owner[name] : Object.defineProperty(owner, name, descriptor));
    mocked.mockRestore = restore;
    mocked.mock.restore = restore;
    undo.push(restore);
    return mocked;
  };
  const restoreAll = () => {
    for (const restore of undo.splice(0).reverse()) restore();
  };
  return {
    fn: mockFunction,
    method: replace,
    spyOn: (owner, name) => replace(owner, name),
    restoreAll,
    reset: restoreAll,
    restoreAllMocks: restoreAll,
    clearAllMocks() {},
    resetAllMocks() {},
  };
}

module.exports = { createMocks };
