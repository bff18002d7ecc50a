import { Readable } from 'node:stream';
import { HttpResponse } from '@smithy/core/protocols';
import type { DeserializeMiddleware } from '@smithy/types';

/** The answer to a request of DynamoDB's protocol. */
export interface StoreAnswer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/** A store of this process that speaks DynamoDB's protocol. */
export interface InProcessStore {
  /**
   * @param target the header `x-amz-target`.
   * @param body JSON.
   */
  answer(target: string, body: string): Promise<StoreAnswer>;
}

/** By the address that the environment gives them, such as `file:///data/flagstaff.db`. */
const stores = new Map<string, InProcessStore>();

/** Hands requests to an address over to a store of this process from now on, rather than to the network. */
export function answerInProcess(address: string, store: InProcessStore): void {
  stores.set(address, store);
}

/** Sends requests to that address over the network again. */
export function leaveProcess(address: string): void {
  stores.delete(address);
}

// biome-ignore lint/suspicious/noExplicitAny: requests of all kinds.
type Anything = any;

/**
 * A step of a client, its innermost: asks the store of this process that has the client's address, where there is one.
 * @param host the host and port of the requests; one that another step has sent elsewhere goes there.
 */
export const inProcess =
  (address: string, host: string): DeserializeMiddleware<Anything, Anything> =>
  (next) =>
  async (args) => {
    const store = stores.get(address);
    const { hostname, port, headers, body } = args.request as Anything;
    if (store === undefined || host !== (port === undefined ? hostname : `${hostname}:${port}`)) return next(args);
    const answer = await store.answer(headers['x-amz-target'], body);
    const response = new HttpResponse({
      statusCode: answer.status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      // The SDK reads errors, as from a socket.
      body: answer.status === 200 ? answer.body : Readable.from([Buffer.from(answer.body)]),
    });
    return { response, output: undefined };
  };
