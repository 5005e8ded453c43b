/** Confidence by a verdict's basis, as `test/audit/fit-confidence.mts` fitted it on the development part of the corpus. */
export const confidenceTable: Readonly<Record<string, number>> = {};
