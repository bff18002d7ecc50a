import { Readable } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import type { DeserializeMiddleware, HandlerExecutionContext } from '@smithy/types';
import { commandContext } from './steps.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests of all kinds.
type Anything = any;

/** The answer to a request of DynamoDB's protocol. */
export interface StoreAnswer {
  readonly status: number;
  /** The object that would be sent as JSON. */
  readonly body: object;
}

/** A store of this process that carries out the operations of DynamoDB's protocol. */
export interface InProcessStore {
  /**
   * @param operation its name, such as `Query`.
   * @param input the object that would be sent as JSON; the store keeps nothing of it.
   */
  answer(operation: string, input: object, haste?: Haste): Promise<StoreAnswer>;
  /**
   * Waits until all is on disk that answers have told of so far; undefined where it is.
   * @throws Error where the disk does not take it.
   */
  kept(): Promise<void> | undefined;
  /** @throws Error of the name `damagedStore` where its file is damaged, gone or replaced, as far as that was noticed. */
  assertSound(): void;
}

/** Name of the error of a store whose file somebody has to look after. */
export const damagedStore = 'DamagedStoreException';

/** Things that an answer need not wait for. */
export interface Haste {
  /** True where a power cut may undo the change, with all that comes after it, though it was answered. */
  readonly mayBeLost?: boolean | undefined;
  /** True where what is made of the answer waits for `kept`. */
  readonly isEarly?: boolean | undefined;
}

/** By the address that the environment gives them, such as `file:///data/flagstaff.db`. */
const stores = new Map<string, InProcessStore>();

/** Hands requests to an address over to a store of this process from now on, rather than to the network. */
export function answerInProcess(address: string, store: InProcessStore): void {
  stores.set(address, store);
}

/** Ends that, unless another store has taken the address. */
export function leaveProcess(address: string, store: InProcessStore): void {
  if (stores.get(address) === store) stores.delete(address);
}

/** Waits until all is on disk that a store of this process has told of; undefined where it is, and for any other store. */
export const keptInProcess = (address: string) => stores.get(address)?.kept();

/** @throws Error of the name `damagedStore` for a store of this process that is damaged. */
export const assertSoundInProcess = (address: string) => stores.get(address)?.assertSound();

/** An answer as the client's steps read it. */
function responseOf({ status, body }: StoreAnswer): HttpResponse {
  return new HttpResponse({
    statusCode: status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    // The SDK reads errors, as from a socket.
    body: status === 200 ? body : Readable.from([Buffer.from(JSON.stringify(body))]),
  });
}

/**
 * A step of a client, its innermost: asks the store of this process that has the client's address, where there is one.
 * @param host the host and port of the requests; one that another step has sent elsewhere goes there.
 */
export const inProcess =
  (address: string, host: string): DeserializeMiddleware<Anything, Anything> =>
  (next, context) =>
  async (args) => {
    const store = stores.get(address);
    const { hostname, port } = args.request as Anything;
    if (store === undefined || host !== (port === undefined ? hostname : `${hostname}:${port}`)) return next(args);
    const response = responseOf(await store.answer(commandContext(context).operation, args.input));
    return { response, output: undefined };
  };

/**
 * Spares the commands of a client all steps but one on their way to a store of this process: nothing is written as text,
 * signed or tried again. A step that is added from now on, as tests do to see requests or to fail them, brings all others
 * back for as long as it is there.
 * @param read the step that makes an answer the command's output.
 */
export function shorten(
  { middlewareStack: steps }: DynamoDBClient,
  address: string,
  read: (store: Anything, context: HandlerExecutionContext) => Anything,
): void {
  const { add, addRelativeTo, remove, resolve } = steps;
  let added = 0;
  const counted = (action: (...args: Anything) => void) => {
    return (...args: Anything) => {
      action(...args);
      added += 1;
    };
  };
  Object.assign(steps, {
    add: counted(add),
    addRelativeTo: counted(addRelativeTo),
    remove(step: string) {
      const isRemoved = remove(step);
      if (isRemoved) added -= 1;
      return isRemoved;
    },
    resolve(handler: Anything, context: HandlerExecutionContext) {
      const store = stores.get(address);
      const { operation, coding, isEarly } = commandContext(context);
      if (added > 0 || store === undefined || coding === undefined) return resolve(handler, context);
      const ask = async ({ input }: Anything) => {
        // It is asked once, so that it need not know the transaction again.
        const { ClientRequestToken, ...once } = coding.encode(input);
        const { mayBeLost } = coding;
        return { response: responseOf(await store.answer(operation, once, { mayBeLost, isEarly })) };
      };
      return read(ask, context);
    },
  });
}
