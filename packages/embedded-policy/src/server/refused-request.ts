/** A request that is answered with a status of 400 and above; `detail` is what the client is told. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;
  /** When a client may send the request again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, detail: string, { retryAfterSeconds }: { retryAfterSeconds?: number } = {}) {
    super(detail);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
