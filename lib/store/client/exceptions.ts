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
