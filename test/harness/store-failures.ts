/**
 * Failure of a request to the store: it cancels a transaction for a conflict or a throttled part, refuses the request
 * as too many, fails by itself, or carries the request out and loses the answer.
 */
export type StoreFailure = 'conflict' | 'throttled part' | 'throttled' | 'server error' | 'lost answer';

/** The errors of one attempt. */
export const failureErrors: Readonly<Record<StoreFailure, () => Error>> = {
  conflict: () => canceled('TransactionConflict'),
  'throttled part': () => canceled('ThrottlingError'),
  throttled: () => failed('ThrottlingException', { $metadata: { httpStatusCode: 400 } }),
  'server error': () => failed('InternalServerError', { $metadata: { httpStatusCode: 500 } }),
  'lost answer': () => failed('Error', { code: 'ECONNRESET' }),
};

function canceled(Code: string): Error {
  return failed('TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code }] });
}

function failed(name: string, details: object): Error {
  return Object.assign(new Error(name), { name, ...details });
}
