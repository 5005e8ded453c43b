/** Version of this package, part of every harness fingerprint. */
export const leafHarnessVersion = '0.1.0';
