import type { ErrorName } from '../errors.ts';

/** What is told of a request when it is answered. There is no room in it for a token, a header or a body. */
export interface RequestReport {
  /** The `id` of an error, and the `x-request-id` of every answer. */
  readonly requestId: string;
  /** `GET /things/{id}` as it is declared: what was sent in the place of `{id}` stays untold. */
  readonly route: string;
  readonly status: number;
  readonly userId: number | undefined;
  readonly durationMs: number;
  readonly storeRoundTrips: number;
  /** How many of the round trips came one after the other. */
  readonly storeWaits: number;
  readonly consumedReadUnits: number;
  readonly consumedWriteUnits: number;
  /** The name of the error that was answered. */
  readonly error: ErrorName | undefined;
  /** What the caller is not told of an error of ours. */
  readonly stack: string | undefined;
}
