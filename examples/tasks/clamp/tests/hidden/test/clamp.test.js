const test = require('node:test');
const assert = require('node:assert');
const { clamp } = require('../src/clamp.js');
test('a value inside the range stays', () => assert.strictEqual(clamp(3, 0, 5), 3));
