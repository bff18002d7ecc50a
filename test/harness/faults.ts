import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Request } from '../../lib/request.ts';
import { readItem } from '../../lib/store/read.ts';
import { enabledCounts, eventsAddedBy, featureEventsOf, paths, readFeature, readState, shopSeed } from './features.ts';
import { interceptAttempts, marshalledOutput, plainOutput } from './intercept.ts';
import { freshService, type Reply, type Service } from './service.ts';
import { openSilence } from './silence.ts';
import { failureErrors, type StoreFailure } from './store-failures.ts';

/** The requests that the service makes of the store. */
type StoreRequest = 'TransactWriteItems' | 'UpdateItem' | 'BatchGetItem' | 'Query';

/**
 * Failure of a request, or the answer that `spoil` has changed. In silence the connection stays open and nothing ever
 * comes, whether the request was carried out or not.
 */
type Failure = StoreFailure | Silence | { readonly spoil: (output: Output) => Output };

type Silence = 'silence' | 'silence afterwards';

export interface Fault {
  readonly request: StoreRequest;
  readonly failure: Failure;
  /** Number of requests that fail, from the first on, further attempts included. */
  readonly times: number;
  /** Number of requests that pass before. */
  readonly after?: number;
  readonly onHit?: () => void;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of four requests.
type Output = any;

/** Lets requests to the store fail while `action` runs; answers what it answers, and how often the fault struck. */
export async function withFault<T>(table: Request, fault: Fault, action: () => Promise<T>): Promise<[T, number]> {
  const { failure, times, after = 0, request, onHit } = fault;
  let seen = 0;
  let hits = 0;
  await using silence = await openSilence();
  using _ = interceptAttempts(table, async ({ operation, input, options }, next) => {
    if (operation !== request) return next();
    seen += 1;
    if (seen <= after || hits >= times) return next();
    hits += 1;
    onHit?.();
    if (typeof failure === 'object') return marshalledOutput(failure.spoil(plainOutput(await next())));
    if (failure === 'lost answer' || failure === 'silence afterwards') await next();
    if (failure === 'silence' || failure === 'silence afterwards') return silence.ask(operation, input, options);
    throw failureErrors[failure]();
  });
  return [await action(), hits];
}

/** Keys that the store did not get to, of a request for many; the client does not ask again for them. */
const unprocessed = (output: Output): Output => {
  const [[name, items]] = Object.entries<Output[]>(output.Responses) as [[string, Output[]]];
  const Keys = items.map(({ pk, sk }) => ({ pk, sk }));
  return { ...output, Responses: {}, UnprocessedKeys: { [name]: { Keys, ConsistentRead: true } } };
};

const passing: readonly [string, Fault][] = [
  ['a conflict with another transaction', { request: 'TransactWriteItems', failure: 'conflict', times: 1 }],
  ['three conflicts in a row', { request: 'TransactWriteItems', failure: 'conflict', times: 3 }],
  [
    'a transaction of which a part was throttled',
    { request: 'TransactWriteItems', failure: 'throttled part', times: 1 },
  ],
  ['a throttled transaction', { request: 'TransactWriteItems', failure: 'throttled', times: 1 }],
  ['a transaction that failed by itself', { request: 'TransactWriteItems', failure: 'server error', times: 1 }],
  ['a transaction whose answer was lost', { request: 'TransactWriteItems', failure: 'lost answer', times: 1 }],
  ['a transaction whose answer was lost twice', { request: 'TransactWriteItems', failure: 'lost answer', times: 2 }],
  ['a throttled counter', { request: 'UpdateItem', failure: 'throttled', times: 2 }],
  ['a counter whose answer was lost', { request: 'UpdateItem', failure: 'lost answer', times: 1 }],
  ['a throttled read', { request: 'BatchGetItem', failure: 'throttled', times: 1 }],
  ['a read whose answer was lost', { request: 'BatchGetItem', failure: 'lost answer', times: 1 }],
  ['reads that the store left for later', { request: 'BatchGetItem', failure: { spoil: unprocessed }, times: 3 }],
];

const lasting: readonly [string, Fault][] = [
  [
    'conflicts that do not end',
    { request: 'TransactWriteItems', failure: 'conflict', times: Number.POSITIVE_INFINITY },
  ],
  ['a store that keeps throttling writes', { request: 'TransactWriteItems', failure: 'throttled', times: 99 }],
  ['a store that fails by itself', { request: 'TransactWriteItems', failure: 'server error', times: 99 }],
  ['a counter out of reach', { request: 'UpdateItem', failure: 'throttled', times: 99 }],
  ['a store that keeps throttling reads', { request: 'BatchGetItem', failure: 'throttled', times: 99 }],
  ['reads that the store never gets to', { request: 'BatchGetItem', failure: { spoil: unprocessed }, times: 99 }],
];

/** A change of a feature, ready to be asked for. */
export interface PreparedChange {
  readonly feature: string;
  /** Its project; `default` if it is not said. */
  readonly project?: string;
  readonly call: () => Promise<Reply>;
  /** The events of the feature that it makes when it is carried out. */
  readonly events: readonly string[];
  /** True if the same call, sent again after it was carried out, changes something again. */
  readonly repeats?: true;
}

/**
 * Proves that a change happens once or not at all, whatever the store does.
 * @param readsEnvironment true if the change reads the state of the feature in `development`, where it is on.
 * @param isOfStore true to prove the requests to the store by themselves, too, which are the same for all changes.
 */
export function survivesFaults(
  prepare: (service: Service, feature: string) => Promise<PreparedChange>,
  {
    readsEnvironment = false,
    isOfStore = true,
  }: { readonly readsEnvironment?: boolean; readonly isOfStore?: boolean } = {},
): void {
  let service: Service;
  let made = 0;

  async function change(): Promise<PreparedChange> {
    made += 1;
    return prepare(service, `faulty-${made}`);
  }

  const stateOf = async ({ feature, project }: PreparedChange) => [
    await readFeature(service, feature, project),
    await featureEventsOf(service, feature),
    await enabledCounts(service),
  ];

  const eventsOfCall = async ({ feature, call }: PreparedChange, fault: Fault) => {
    const added = await eventsAddedBy(service, feature, async () => {
      const [answer, hits] = await withFault(service.table, fault, call);
      expect(hits).toBeGreaterThan(0);
      expect(answer.status).toBeLessThan(300);
    });
    return added.map(({ type }) => type);
  };

  // Each test has a feature of its own.
  beforeAll(async () => {
    service = await freshService(shopSeed);
  });
  beforeEach(() => {
    // The pauses between repeats are random from zero on; here they all are zero.
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });

  const isTried = ([, { failure }]: readonly [string, Fault]) =>
    isOfStore || ['conflict', 'lost answer'].includes(String(failure)) || typeof failure === 'object';

  test.each(passing.filter(isTried))('happens once in spite of %s', async (_title, fault) => {
    const wanted = await change();
    expect(await eventsOfCall(wanted, fault)).toEqual(wanted.events);
  });

  test.each(lasting.filter(isTried))(
    'is refused for now, whole and with a time to try again, by %s',
    async (_title, fault) => {
      const wanted = await change();
      const before = await stateOf(wanted);
      let now = performance.now();
      // Patience is measured in time, which passes faster here.
      vi.spyOn(performance, 'now').mockImplementation(() => now);
      const onHit = () => {
        now += 1_000;
      };
      const [answer] = await withFault(service.table, { ...fault, onHit }, wanted.call);
      expect(answer).toMatchObject({ status: 503, body: { name: 'ServiceUnavailable' } });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(await stateOf(wanted)).toEqual(before);
      expect(await eventsOfCall(wanted, { request: 'TransactWriteItems', failure: 'conflict', times: 1 })).toEqual(
        wanted.events,
      );
    },
  );

  test('is there once when every answer was lost and the caller sends it again', async () => {
    const wanted = await change();
    const added = await eventsAddedBy(service, wanted.feature, async () => {
      const fault: Fault = { request: 'TransactWriteItems', failure: 'lost answer', times: 99 };
      const [answer] = await withFault(service.table, fault, wanted.call);
      expect(answer.status).toBe(503);
      if (wanted.repeats !== true) expect((await wanted.call()).status).toBeLessThan(300);
    });
    expect(added.map(({ type }) => type)).toEqual(wanted.events);
  });

  const tornReads: [string, string][] = [['FEATURE', 'as it was before']];
  if (readsEnvironment) {
    tornReads.push(['ENVIRONMENT#development', 'as it was before'], ['ENVIRONMENT#development', 'not at all']);
  }

  test.each(tornReads)('decides again when %s was read %s', async (sk, how) => {
    const wanted = await change();
    const Key = { pk: `FEATURE#${wanted.feature}`, sk };
    const older = await readItem(service.table, Key);
    const between = await service.post(paths.strategies(wanted.feature, 'development', wanted.project), {
      name: 'default',
    });
    expect(between.status).toBe(200);

    let replaced = 0;
    const torn = (items: Output[] = []) =>
      items.flatMap((item) => {
        if (replaced > 0 || item.pk !== Key.pk || item.sk !== sk) return [item];
        replaced += 1;
        return how === 'not at all' || older === undefined ? [] : [older];
      });
    const spoil = (output: Output): Output =>
      output.Items === undefined
        ? { ...output, Responses: { [service.table.store.name]: torn(output.Responses[service.table.store.name]) } }
        : { ...output, Items: torn(output.Items) };
    const added = await eventsAddedBy(service, wanted.feature, async () => {
      const times = Number.POSITIVE_INFINITY;
      const [[answer]] = await withFault(service.table, { request: 'Query', failure: { spoil }, times }, () =>
        withFault(service.table, { request: 'BatchGetItem', failure: { spoil }, times }, wanted.call),
      );
      expect(answer.status).toBeLessThan(300);
      if (answer.body?.environments !== undefined) expect(answer.text).toContain(between.body.id);
    });
    expect(replaced).toBe(1);
    expect(added.map(({ type }) => type)).toEqual(wanted.events);
    const { strategies } = await readState(service, wanted.feature, 'development', wanted.project);
    expect(strategies.map(({ id }: { id: string }) => id)).toContain(between.body.id);
  });
}
