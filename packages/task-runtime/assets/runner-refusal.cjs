'use strict';

/** What the runner of a sandbox will not do, as a text for its caller; no fault of the runner. */
class Refusal extends Error {}

module.exports = { Refusal };
