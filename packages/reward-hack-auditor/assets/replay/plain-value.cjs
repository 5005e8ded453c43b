'use strict';
// Taken before any code of the task is loaded, so that replacing them later changes nothing here.
const { isArray } = Array;
const { is, keys, getPrototypeOf, getOwnPropertyDescriptor } = Object;
const { stringify } = JSON;
const { types } = require('node:util');
const dateTime = Date.prototype.getTime;
const arrayMap = Array.prototype.map;
const nodes = 4000;

/** A value as plain data that JSON can hold, whatever the value's own methods say about itself. */
function plainValue(value, budget = { left: nodes }, depth = 0) {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value === undefined) return { undefined: true };
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'bigint') return { bigint: `${value}` };
  if (typeof value === 'symbol') return { symbol: true };
  if (typeof value === 'function') return { function: true };
  if (--budget.left < 0 || depth > 30) return { cut: true };
  try {
    return plainObject(value, budget, depth + 1);
  } catch {
    return { unreadable: true };
  }
}

function plainNumber(value) {
  if (is(value, Number.NaN) || value === Infinity || value === -Infinity) return { number: `${value}` };
  return value === 0 ? 0 : Number(value.toPrecision(12));
}

function plainObject(value, budget, depth) {
  const inner = (item) => plainValue(item, budget, depth);
  if (types.isProxy(value)) return { proxy: true };
  if (types.isBoxedPrimitive(value)) return { boxed: true };
  if (isArray(value)) return arrayMap.call([...Array(value.length).keys()], (index) => inner(value[index]));
  if (types.isDate(value)) return { date: dateTime.call(value) };
  if (types.isRegExp(value)) return { pattern: `/${value.source}/${value.flags}` };
  if (types.isPromise(value)) return { promise: true };
  if (types.isNativeError(value)) return { error: `${value.name}`, message: `${value.message}` };
  if (types.isMap(value)) return { map: [...Map.prototype.entries.call(value)].map(([key, item]) => [inner(key), inner(item)]) };
  if (types.isSet(value)) return { set: [...Set.prototype.values.call(value)].map(inner) };
  if (types.isTypedArray(value)) return { bytes: [...value].slice(0, 2000).map(inner) };
  const entries = keys(value)
    .sort()
    .filter((key) => value[key] !== undefined)
    .map((key) => [key, inner(value[key])]);
  return { object: entries, ...(liesAboutItself(value) ? { lying: true } : {}) };
}

/** True for a value that answers comparisons itself. */
function liesAboutItself(value) {
  if (typeof value.asymmetricMatch === 'function') return true;
  for (let owner = value; owner !== null && owner !== Object.prototype; owner = getPrototypeOf(owner)) {
    if (getOwnPropertyDescriptor(owner, Symbol.toPrimitive) !== undefined) return true;
  }
  return false;
}

const textOf = (value) => stringify(plainValue(value));

module.exports = { plainValue, textOf, stringify };
