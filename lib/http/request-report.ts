import type { ErrorName } from '../errors.ts';

/** The report of an answered request. It has no field for a token, a header or a body. */
export interface RequestReport {
  /** The `id` of an error, and the `x-request-id` of every answer. */
  readonly requestId: string;
  /** `GET /things/{id}` as it is declared: the value of `{id}` is not shown. */
  readonly route: string;
  readonly status: number;
  readonly userId: number | undefined;
  readonly durationMs: number;
  readonly storeRoundTrips: number;
  /** Number of round trips made one after the other. */
  readonly storeWaits: number;
  readonly consumedReadUnits: number;
  readonly consumedWriteUnits: number;
  /** The name of the error that was answered. */
  readonly error: ErrorName | undefined;
  /** Reason of a refusal that the caller must not learn. */
  readonly reason: string | undefined;
  /** Warning to the operator; undefined for none. */
  readonly warning: string | undefined;
  /** The stack of an error of ours, which the caller does not see. */
  readonly stack: string | undefined;
}
