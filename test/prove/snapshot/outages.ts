import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../../lib/request.ts';
import { interceptAttempts } from '../../harness/intercept.ts';
import { contentOf, restoreContent } from '../../harness/items.ts';
import { startNodeSdk } from '../../harness/node-sdk.ts';
import { serveHere } from '../../harness/served.ts';
import { openSilence } from '../../harness/silence.ts';
import { failureErrors } from '../../harness/store-failures.ts';
import { Promises } from '../promises.ts';
import { Flags } from '../sdks/flags.ts';
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
  await using server = await serveHere(({ target, status }) => {
    if (target.startsWith('/api/client/features')) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  const flags = new Flags({ url: server.url, token: service.adminToken });
  await flags.make();
  await using started = startNodeSdk(flags.url, await flags.token('client'), {
    ...{ appName: 'prove-outages', refreshInterval: intervalMs, disableMetrics: true },
  });
  const { unleash: sdk } = started;
  const sees = (wanted: boolean) => sdk.isEnabled('switched') === wanted && sdk.isEnabled('plain');
  await once(sdk, 'synchronized');
  for (const [outage, seconds] of Object.entries(secondsOfOutage) as [Outage, number][]) {
    const before = flags.isSwitched;
    const unknown = await flags.token('client');
    await withOutage(service.table, outage, async () => {
      const end = performance.now() + seconds * 1_000;
      let kept = true;
      while (performance.now() < end) {
        kept &&= sees(before);
        await sleep(100);
      }
      promises.hold(`${outage}: the SDK keeps its values`, kept);
      const cold = await fetch(`${flags.url}/api/client/features`, { headers: { authorization: unknown } });
      promises.same(`${outage}: a token that nobody can look up is a 503`, cold.status, 503);
    });
    const wanted = await flags.flip();
    await promises.within(recoveryMs, `${outage}: a change afterwards is seen`, () => sees(wanted));
  }
  await proveRestored(service.table, flags, promises, sees);
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
  const earlier = await contentOf(table);
  const before = flags.isSwitched;
  const later = await flags.flip();
  await promises.within(recoveryMs, 'a change before the restoration is seen', () => sees(later));
  await restoreContent(table, earlier);
  await promises.within(recoveryMs, 'the restored state is seen', () => sees(before));
  await flags.flip();
  const again = await flags.flip();
  await promises.within(recoveryMs, 'a change after the restoration is seen', () => sees(again));
}

async function withOutage<T>(table: Request, outage: Outage, action: () => Promise<T>): Promise<T> {
  await using silence = await openSilence();
  using _ = interceptAttempts(table, async ({ operation, input, options }) => {
    if (outage === 'silent') return silence.ask(operation, input, options);
    throw outage === 'down'
      ? Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      : failureErrors.throttled();
  });
  return await action();
}
