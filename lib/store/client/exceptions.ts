/** The body of a refusal in DynamoDB's protocol, such as the reasons why a transaction was canceled. */
interface RefusalBody {
  readonly __type?: string;
  readonly message?: string;
  readonly Message?: string;
}

/** Returns a refusal as AWS's SDK would throw it: an error with the name of the exception. */
export function exceptionOf(status: number, { __type = '', message, Message, ...details }: RefusalBody): Error {
  const name = __type.slice(__type.lastIndexOf('#') + 1) || 'UnknownError';
  const $metadata = { httpStatusCode: status };
  return Object.assign(new Error(message ?? Message ?? `The store answered with the status ${status}.`), {
    ...details,
    name,
    $metadata,
  });
}

/** Tells whether an error is an exception of DynamoDB of this name. */
export function isException(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

/** Tells whether the store refused a request because its sender has no right to make it: a relay may only read. */
export function isDenied(error: unknown): boolean {
  return isException(error, 'AccessDeniedException');
}

/** Tells whether the store will never take a request as it is, such as one by which an item would become too large. */
export function isRefused(error: unknown): boolean {
  return isDenied(error) || isException(error, 'ValidationException');
}
