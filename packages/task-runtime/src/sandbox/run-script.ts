/** Runs a short shell script inside the sandbox; `headBytes` of its output are kept. */
export type RunScript = (options: {
  shell: 'sh' | 'bash';
  script: string;
  arguments: readonly string[];
  stdin?: Uint8Array;
  headBytes: number;
  signal?: AbortSignal;
}) => Promise<{ exitCode: number; stdout: Buffer; truncated: boolean; stderr: string }>;
