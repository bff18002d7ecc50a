import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import { timeoutEarlyInMillis } from '../../../lib/http/deadline.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import type { Route } from '../../../lib/http/local/router.ts';
import * as projectKeys from '../../../lib/projects/keys.ts';
import { newUsage } from '../../../lib/store/client/usage.ts';
import { readItems } from '../../../lib/store/read.ts';
import { LostRace, retryInQueue, retryLostRaces } from '../../../lib/store/transactions/retry.ts';
import { transactPart } from '../../../lib/store/transactions/transact.ts';
import { type Fault, withFault } from '../../harness/faults.ts';
import { addFeaturesOn } from '../../harness/features.ts';
import { beforeRequests, recordStoreRequests } from '../../harness/store-requests.ts';
import { sharedService } from '../../specifications/specify.ts';

const always = Number.POSITIVE_INFINITY;
/** Longer than any pause before a repeat. */
const watchedMs = 1_200;

const service = sharedService();
beforeAll(async () => {
  await addFeaturesOn(service, ['late', 'later']);
});

describe('A request after its deadline', () => {
  const route = 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/off';

  /**
   * Calls with little time left, but more where the machine is too busy for a request to reach the store and be
   * answered by then.
   */
  async function callLate(fault: Fault, token = service.adminToken) {
    let [result, patienceMs] = [await callWithin(250, fault, token), 250];
    for (; (result.triesAtAnswer === 0 || !result.isInTime) && patienceMs < 5_000; patienceMs *= 2) {
      result = await callWithin(patienceMs, fault, token);
    }
    return result;
  }

  /** Counts the requests to the store after the answer. */
  async function callWithin(patienceMs: number, fault: Fault, token: string) {
    const remainingMs = timeoutEarlyInMillis + patienceMs;
    const context = {
      ...toContext({ routeKey: route } as Route, 'late-request'),
      getRemainingTimeInMillis: () => remainingMs,
    };
    const event = {
      rawPath: '/api/admin/projects/default/bulk_features/environments/development/off',
      pathParameters: { projectId: 'default', environment: 'development' },
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ features: ['late', 'later'] }),
    };
    let tries = 0;
    const onHit = () => {
      tries += 1;
    };
    const start = performance.now();
    let milliseconds = 0;
    let triesAtAnswer = 0;
    let status: number | undefined;
    await withFault(service.table, { ...fault, onHit }, async () => {
      ({ statusCode: status } = await registry.bulkToggleFeaturesEnvironmentOff(event as never, context));
      milliseconds = performance.now() - start;
      triesAtAnswer = tries;
      await sleep(watchedMs);
    });
    return { status, isInTime: milliseconds < remainingMs, triesAtAnswer, triesLater: tries - triesAtAnswer };
  }

  test.each<Fault>([
    { request: 'TransactWriteItems', failure: 'conflict', times: always },
    { request: 'TransactWriteItems', failure: 'throttled', times: always },
    { request: 'TransactWriteItems', failure: 'silence', times: always },
    { request: 'UpdateItem', failure: 'server error', times: always },
    { request: 'BatchGetItem', failure: 'lost answer', times: always },
  ])('makes no further calls to a store that answers $request with $failure', async (fault) => {
    const { status, isInTime, triesAtAnswer, triesLater } = await callLate(fault);
    expect(status).toBe(503);
    expect(isInTime).toBe(true);
    expect(triesAtAnswer).toBeGreaterThan(0);
    expect(triesLater).toBe(0);
  });

  test('gets a 503 even if the store does not return the caller', async () => {
    const fault: Fault = { request: 'BatchGetItem', failure: 'silence', times: always };
    const { status, isInTime } = await callLate(fault, '*:*.0123456789012345678901');
    expect(status).toBe(503);
    expect(isInTime).toBe(true);
  });
});

describe('A table whose request was aborted', () => {
  const reason = new Error('given up');
  /** Most requests of one kind that a table has in flight. */
  const inFlightMax = 16;
  const limited = () => {
    const controller = new AbortController();
    return { table: { ...service.table, usage: newUsage(), signal: controller.signal }, controller };
  };

  test('does not make the calls that wait for their turn', async () => {
    const { table, controller } = limited();
    const many = Array.from({ length: 3_000 }, (_, index) => featureKeys.feature(`f${index}`));
    let sent = 0;
    using _ = beforeRequests(table, async () => {
      sent += 1;
      if (sent === inFlightMax) controller.abort(reason);
      if (!controller.signal.aborted) await once(controller.signal, 'abort');
    });
    await expect(readItems(table, many)).rejects.toBe(reason);
    await nextTurn();
    expect(sent).toBe(inFlightMax);
  });

  test('writes nothing more, and does not try again', async () => {
    const { table, controller } = limited();
    let attempts = 0;
    const contended = async () => {
      attempts += 1;
      if (attempts === 3) controller.abort(reason);
      throw new LostRace();
    };
    await expect(retryLostRaces(table, contended)).rejects.toBe(reason);
    expect(attempts).toBe(3);
    await expect(
      retryInQueue(table, [featureKeys.feature('late')], async () => readItems(table, [featureKeys.feature('late')])),
    ).rejects.toBe(reason);
    const requests = await recordStoreRequests(table, async () => {
      await expect(transactPart(table, [{ put: featureKeys.feature('x'), item: {} }], [])).rejects.toBe(reason);
    });
    expect(requests).toEqual([]);
  });

  test('does not affect calls that other requests share', async () => {
    const [one, other] = [limited(), limited()];
    const key = projectKeys.project('default');
    const answers = Promise.allSettled([readItems(one.table, [key]), readItems(other.table, [key])]);
    one.controller.abort(reason);
    expect((await answers)[1]).toMatchObject({ status: 'fulfilled', value: [{ id: 'default' }] });
    const lost = Promise.allSettled([readItems(one.table, [key]), readItems(other.table, [key])]);
    other.controller.abort(reason);
    for (const { status } of await lost) expect(status).toBe('rejected');
  });
});
