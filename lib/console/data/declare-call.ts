import { type ApiAddress, fillPath, type PathValues, type Query } from './address.ts';
import { type ApiAnswer, type Method, sendRequest } from './client.ts';

interface Operation {
  readonly method: Method;
  readonly path: string;
}

/** Operations of the API that the console calls or shows, by their operationId. A test compares them with the registry. @internal */
export const calledOperations: Record<string, Operation> = {};

/** Declares a read: given the values of its path and a query, it returns the address. */
export function read<T>() {
  return <P extends string>(operationId: string, path: P) => {
    calledOperations[operationId] = { method: 'GET', path };
    return (values: PathValues<P>, query?: Query): ApiAddress<T> => fillPath(path, values, query) as ApiAddress<T>;
  };
}

/** Declares an operation that others call: given the values of its path, it returns the address to show. */
export function addressFor<P extends string>(operationId: string, method: Method, path: P) {
  calledOperations[operationId] = { method, path };
  return (values: PathValues<P>): string => fillPath(path, values);
}

interface Sending<B> {
  readonly body?: B;
  /** The version that the change is made of; the service refuses it if there is another one. */
  readonly ifMatch?: string | undefined;
  /** Repeats with the same key are carried out once. */
  readonly key?: string;
}

/** Declares a change: given the values of its path and a body, it sends the request. */
export function change<T = unknown, B = undefined>() {
  return <P extends string>(operationId: string, method: Exclude<Method, 'GET'>, path: P) => {
    calledOperations[operationId] = { method, path };
    return (
      values: PathValues<P>,
      { body, ifMatch, key = crypto.randomUUID() }: Sending<B> = {},
    ): Promise<ApiAnswer<T>> =>
      sendRequest<T>(method, fillPath(path, values), {
        body,
        headers: {
          'idempotency-key': key,
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
      });
  };
}
