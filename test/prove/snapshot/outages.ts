import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { Unleash } from 'unleash-client';
import * as endpoints from '../../../functions/index.ts';
import { handler as notFound } from '../../../functions/service/notFound.ts';
import { startLocalServer } from '../../../lib/http/local/local-server.ts';
import type { Request } from '../../../lib/request.ts';
import { openSilence } from '../../harness/silence.ts';
import { Flags } from '../sdks/flags.ts';
import { Promises } from '../sdks/promises.ts';
import type { ProvedService } from '../service.ts';

/** Behaviour of the store in an outage: it never answers, it cannot be reached, or it refuses every request. */
type Outage = 'silent' | 'down' | 'throttled';

const intervalMs = 300;
/** An SDK asks more seldom after an error, up to eleven times its interval. */
const recoveryMs = 15_000;

/**
 * Proves with a real SDK that an outage of the store stops nothing: what was known is served on, nobody is refused for a
 * token, a process that knows nothing yet answers 503, and afterwards all is as before. So does a store that was restored
 * to an earlier state.
 */
export async function proveOutages(
  service: ProvedService,
  secondsOfOutage: Readonly<Record<Outage, number>>,
): Promise<Promises> {
  const promises = new Promises('a store that fails');
  const statuses = new Map<number, number>();
  const server = await startLocalServer({
    endpoints,
    notFound,
    host: '127.0.0.1',
    port: 0,
    onAnswered({ target, status }) {
      if (target.startsWith('/api/client/features')) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
  });
  const flags = new Flags({ url: `http://127.0.0.1:${server.port}`, token: service.adminToken });
  await flags.make();
  const sdk = new Unleash({
    url: `${flags.url}/api/`,
    appName: 'prove-outages',
    refreshInterval: intervalMs,
    disableMetrics: true,
    customHeaders: { Authorization: await flags.token('client') },
    storageProvider: { async set() {}, async get() {} },
  });
  // What it says of an outage is its own affair.
  sdk.on('error', () => undefined);
  sdk.on('warn', () => undefined);
  const isSynchronized = new Promise((resolve) => sdk.once('synchronized', resolve));
  const sees = (wanted: boolean) => sdk.isEnabled('switched') === wanted && sdk.isEnabled('plain');
  try {
    await isSynchronized;
    for (const [outage, seconds] of Object.entries(secondsOfOutage) as [Outage, number][]) {
      const before = flags.isSwitched;
      const unknown = await flags.token('client');
      await withOutage(service.table, outage, async () => {
        const end = performance.now() + seconds * 1_000;
        let kept = true;
        while (performance.now() < end) {
          kept &&= sees(before);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        promises.hold(`${outage}: the SDK keeps its values`, kept);
        const cold = await fetch(`${flags.url}/api/client/features`, { headers: { authorization: unknown } });
        promises.same(`${outage}: a token that nobody can look up is a 503`, cold.status, 503);
      });
      const wanted = await flags.flip();
      await promises.within(recoveryMs, `${outage}: a change afterwards is seen`, () => sees(wanted));
    }
    await proveRestored(service.table, flags, promises, sees);
  } finally {
    sdk.destroy();
    await server.close();
  }
  const refusals = [...statuses].filter(([status]) => ![200, 304, 503].includes(status));
  promises.same('no poll was answered but with 200, 304 or 503', refusals, []);
  return promises;
}

/**
 * Proves that, if the store is restored to an earlier state while the process goes on, it serves that and the changes
 * after it.
 */
async function proveRestored(
  table: Request,
  flags: Flags,
  promises: Promises,
  sees: (wanted: boolean) => boolean,
): Promise<void> {
  const earlier = await itemsOf(table);
  const before = flags.isSwitched;
  const later = await flags.flip();
  await promises.within(recoveryMs, 'a change before the restoration is seen', () => sees(later));
  await replaceItems(table, earlier);
  await promises.within(recoveryMs, 'the restored state is seen', () => sees(before));
  await flags.flip();
  const again = await flags.flip();
  await promises.within(recoveryMs, 'a change after the restoration is seen', () => sees(again));
}

async function withOutage<T>({ store: { client } }: Request, outage: Outage, action: () => Promise<T>): Promise<T> {
  await using silence = await openSilence();
  const name = 'outage';
  client.middlewareStack.add(
    (next) => async (args) => {
      if (outage === 'silent') return next(silence.instead(args));
      throw outage === 'down'
        ? Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', $metadata: {} })
        : Object.assign(new Error('ThrottlingException'), {
            name: 'ThrottlingException',
            $fault: 'client',
            $metadata: { httpStatusCode: 400 },
          });
    },
    { step: 'finalizeRequest', priority: 'low', name },
  );
  try {
    return await action();
  } finally {
    client.middlewareStack.remove(name);
  }
}

type Item = Record<string, unknown>;

async function itemsOf({ store: { client, name: TableName } }: Request): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return items;
}

async function replaceItems(table: Request, items: readonly Item[]): Promise<void> {
  const removed = (await itemsOf(table)).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  const put = items.map((Item) => ({ PutRequest: { Item } }));
  for (const requests of [removed, put]) {
    for (let start = 0; start < requests.length; start += 25) {
      const RequestItems = { [table.store.name]: requests.slice(start, start + 25) };
      await table.store.client.send(new BatchWriteCommand({ RequestItems }));
    }
  }
}
