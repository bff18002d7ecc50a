/** The body of an error response of DynamoDB. It may have further properties, such as the reasons of a cancelled transaction. */
interface RefusalBody {
  readonly __type?: unknown;
  readonly message?: unknown;
  readonly Message?: unknown;
}

/** Returns the error that AWS's SDK would throw for a response, with the name of the exception. */
export function exceptionOf(status: number, { __type, message, Message, ...details }: RefusalBody): Error {
  const name = String(__type ?? '').replace(/^.*#/, '') || 'UnknownError';
  const $metadata = { httpStatusCode: status };
  return Object.assign(new Error(String(message ?? Message ?? `The store answered with the status ${status}.`)), {
    ...details,
    name,
    $metadata,
  });
}

/** Tells whether an error is the named exception of DynamoDB. */
export function isException(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

/** Tells whether the credentials do not permit the request: a relay may only read. */
export function isAccessDenied(error: unknown): boolean {
  return isException(error, 'AccessDeniedException');
}

/** Tells whether the store will never accept the request, such as one that would make an item too large. */
export function isPermanentRefusal(error: unknown): boolean {
  return isAccessDenied(error) || isException(error, 'ValidationException');
}

/**
 * The outcomes of a request to a store. A `conflict` is a condition that did not hold, after which callers decide again. `refused` is
 * any other answer that a retry would not change.
 */
export const storeOutcomes = ['done', 'conflict', 'throttled', 'refused', 'cancelled', 'failed'] as const;

/** Returns the outcome of a request that threw an error. */
export function classifyStoreError(error: unknown): (typeof storeOutcomes)[number] {
  const { name, cause, CancellationReasons: reasons, $metadata } = error as Partial<TransactionError>;
  if (name === 'AbortError') return 'cancelled';
  if (/Throttl|ThroughputExceeded|LimitExceeded/.test([name, ...(reasons ?? []).map(({ Code }) => Code)].join(' ')))
    return 'throttled';
  if (/^(TransactionCanceled|ConditionalCheckFailed|TransactionConflict)Exception$/.test(String(name)))
    return 'conflict';
  // A store in this process reports its failures as the error for callers, with the cause.
  if ($metadata === undefined) return cause === undefined ? 'failed' : classifyStoreError(cause);
  return ($metadata.httpStatusCode ?? 500) < 500 ? 'refused' : 'failed';
}

interface TransactionError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };
  readonly CancellationReasons: readonly { readonly Code?: string }[];
}
