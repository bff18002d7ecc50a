import type { ErrorName } from '../errors.ts';

/** The report of an answered request. It has no field for tokens, headers or bodies. */
export interface RequestReport {
  /** The `id` of an error, and the header `x-request-id` of every reply. */
  readonly requestId: string;
  /** The declared route, such as `GET /things/{id}`, without the value of `{id}`. */
  readonly route: string;
  readonly status: number;
  readonly userId: number | undefined;
  readonly durationMs: number;
  readonly storeRoundTrips: number;
  /** The number of sequential round trips. */
  readonly storeWaits: number;
  readonly consumedReadUnits: number;
  readonly consumedWriteUnits: number;
  /** The name of the error in the reply. */
  readonly error: ErrorName | undefined;
  /** The reason of a refusal, which the caller must not learn. */
  readonly reason: string | undefined;
  /** A warning for the operator. */
  readonly warning: string | undefined;
  /** The stack of an internal error, which the caller does not see. */
  readonly stack: string | undefined;
}
