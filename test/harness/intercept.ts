import type { Request } from '../../lib/request.ts';
import type { StoreClient } from '../../lib/store/client/client.ts';
import { marshall, unmarshall } from '../../lib/store/client/marshall.ts';
import type { RequestOptions, StoreOperation } from '../../lib/store/client/operations.ts';

// biome-ignore lint/suspicious/noExplicitAny: the inputs and outputs of all operations.
type Anything = any;

/** A request to the store. */
interface StoreCall {
  readonly operation: StoreOperation;
  readonly input: Anything;
  readonly options: RequestOptions;
}

/** Stands between a client and its store. */
export type Interceptor = (call: StoreCall, next: () => Promise<Anything>) => Promise<Anything>;

type Method = 'send' | 'attempt';

const interceptors = new WeakMap<StoreClient, Record<Method, Set<Interceptor>>>();
const originals = new WeakMap<StoreClient, StoreClient>();

/** Lets each request of a table's client go through an interceptor, once for all its attempts, as long as the block lasts. */
export function interceptRequests(table: Pick<Request, 'store'>, interceptor: Interceptor): Disposable {
  return intercept(table.store.client, 'send', interceptor);
}

/** Lets each attempt of a request go through an interceptor. Of several, the last one is next to the store. */
export function interceptAttempts(table: Pick<Request, 'store'>, interceptor: Interceptor): Disposable {
  return intercept(table.store.client, 'attempt', interceptor);
}

/** Returns the attempts of a table's client that no interceptor sees. */
export function attemptsBehind({ store: { client } }: Pick<Request, 'store'>): StoreClient['attempt'] {
  return (originals.get(client) ?? client).attempt;
}

function intercept(client: StoreClient, method: Method, interceptor: Interceptor): Disposable {
  const all = (interceptors.get(client) ?? install(client))[method];
  all.add(interceptor);
  return { [Symbol.dispose]: () => void all.delete(interceptor) };
}

function install(client: StoreClient) {
  originals.set(client, { ...client });
  const installed = { send: new Set<Interceptor>(), attempt: new Set<Interceptor>() };
  for (const method of ['send', 'attempt'] as const) {
    const original: Anything = client[method];
    client[method] = (operation: StoreOperation, input: Anything, options: Anything = {}) => {
      const last = () => original(operation, input, options);
      const first = [...installed[method]].reduceRight(
        (next, interceptor) => () => interceptor({ operation, input, options }, next),
        last,
      );
      return first();
    };
  }
  interceptors.set(client, installed);
  return installed;
}

/** Returns an input with plain values in the place of marshalled ones. */
export function plainInput(input: Anything): Anything {
  if (Array.isArray(input)) return input.map(plainInput);
  if (typeof input !== 'object' || input === null) return input;
  const [[type, value] = []] = Object.entries(input);
  if (type === 'NULL') return null;
  if (type === 'N') return Number(value);
  return type === 'S' || type === 'BOOL' ? value : mapValues(input, plainInput);
}

const mapValues = (object: Anything, map: (value: Anything) => Anything) =>
  object && Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

/** Returns an output with plain items and keys in the place of marshalled ones. */
export function plainOutput({ Items, Responses, ...output }: Anything): Anything {
  return {
    ...output,
    ...(Items && { Items: Items.map(unmarshall) }),
    ...(Responses && { Responses: mapValues(Responses, (items) => items.map(unmarshall)) }),
  };
}

/** Returns an output of `plainOutput` as the store would answer it. */
export function marshalledOutput({ Items, Responses, UnprocessedKeys, ...output }: Anything): Anything {
  return {
    ...output,
    ...(Items && { Items: Items.map(marshall) }),
    ...(Responses && { Responses: mapValues(Responses, (items) => items.map(marshall)) }),
    ...(UnprocessedKeys && {
      UnprocessedKeys: mapValues(UnprocessedKeys, ({ Keys, ...rest }) => ({ ...rest, Keys: Keys.map(marshall) })),
    }),
  };
}
