import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/**
 * Failure of a request to the store: it cancels a transaction for a conflict or a throttled part, refuses the request
 * as too many, fails by itself, or carries the request out and loses the answer.
 */
export type StoreFailure = 'conflict' | 'throttled part' | 'throttled' | 'server error' | 'lost answer';

/** The errors that the SDK throws. */
export const failureErrors: Readonly<Record<StoreFailure, () => Error>> = {
  conflict: () => canceled('TransactionConflict'),
  'throttled part': () => canceled('ThrottlingError'),
  throttled: () => failed('ThrottlingException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
  'server error': () => failed('InternalServerError', { $fault: 'server', $metadata: { httpStatusCode: 500 } }),
  'lost answer': () => failed('Error', { code: 'ECONNRESET', $metadata: {} }),
};

function canceled(Code: string): Error {
  return new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: [{ Code: 'None' }, { Code }],
  });
}

function failed(name: string, details: object): Error {
  return Object.assign(new Error(name), { name, ...details });
}
