import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { carryOutOnce } from '../../../lib/http/carry-out-once.ts';
import * as requestKeys from '../../../lib/idempotency/keys.ts';
import { replyItem } from '../../../lib/idempotency/record-items.ts';
import { requestIdentityOf } from '../../../lib/idempotency/request-identity.ts';
import * as tokenKeys from '../../../lib/identity/tokens/keys.ts';
import type { Request } from '../../../lib/request.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { transact, transactPart } from '../../../lib/store/transactions/transact.ts';
import { withFault } from '../../harness/faults.ts';
import { addFeatures, addFeaturesOn, enabledCounts, eventTypesOf, paths } from '../../harness/features.ts';
import { interceptRequests } from '../../harness/intercept.ts';
import type { Reply } from '../../harness/service.ts';
import { sharedService, tableForEach } from '../../specifications/specify.ts';

describe('Two different requests with one idempotency key', () => {
  const service = sharedService();
  const many = Array.from({ length: 70 }, (_, index) => `many-${index}`);
  beforeAll(async () => {
    await addFeatures(service, ['one']);
  });
  beforeEach(async () => {
    await addFeaturesOn(service, many.slice(0, 35));
    await addFeaturesOn(service, many.slice(35));
  });

  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
  const off = (key: string) => service.post(paths.off(), { features: many }, withKey(key));
  const addStrategy = (key: string) => service.post(paths.strategies('one'), { name: 'default' }, withKey(key));

  /** Expects that each request did what its reply says. */
  async function expectTrueReplies([large, small]: readonly [Reply, Reply], strategiesBefore: number): Promise<void> {
    expect([large.status, small.status].toSorted()).toEqual([200, 400]);
    const { development = 0 } = await enabledCounts(service);
    expect(development, 'features that are still on').toBe(large.status === 200 ? 0 : many.length);
    expect((await strategies()) - strategiesBefore).toBe(small.status === 200 ? 1 : 0);
  }

  const strategies = async () =>
    (await eventTypesOf(service, 'one')).filter((type) => type === 'feature-strategy-add').length;

  test('never both run if one takes a single transaction and the other takes several', async () => {
    const before = await strategies();
    let claimed = () => {};
    const isClaimed = new Promise<void>((resolve) => {
      claimed = resolve;
    });
    using _ = interceptRequests(service.table, async ({ operation, input }, next) => {
      // Only the small request writes a strategy. By then it has read that the key is free.
      const text = JSON.stringify(input);
      if (operation === 'TransactWriteItems' && text.includes('feature-strategy-add')) await isClaimed;
      const answer = await next();
      if (text.includes('PART#')) claimed();
      return answer;
    });
    const small = addStrategy('same');
    await sleep(20);
    await expectTrueReplies(await Promise.all([off('same'), small]), before);
  });

  test.each([0, 2, 4, 8, 16, 32])('never both run if one arrives %i ms after the other', async (milliseconds) => {
    const before = await strategies();
    const key = `after-${milliseconds}`;
    const large = off(key);
    await sleep(milliseconds);
    await expectTrueReplies(await Promise.all([large, addStrategy(key)]), before);
  });
});

describe('A request with an idempotency key', () => {
  const table = tableForEach();
  const requestIdentity = requestIdentityOf({
    key: 'k',
    secret: 's',
    method: 'POST',
    query: '',
    path: '/tokens',
    body: '{}',
  });
  const reply = (text: string) => ({ status: 201, headers: { location: `/tokens/${text}` }, text });

  test('is found as release 0.2 has stored it', async () => {
    const item = replyItem(requestIdentity.earlierFingerprint, reply('one'), undefined);
    await transact(table, [{ put: requestKeys.claim(requestIdentity.id), item: { ...item } }], undefined);
    const fail = () => Promise.reject(new Error('It ran again.'));
    expect(await carryOutOnce({ request: table, requestIdentity }, fail, reply, false)).toMatchObject({ text: 'one' });
  });

  test('has one item, first its claim and then its reply', async () => {
    const run = async ({ request }: { readonly request: Request }) => {
      await request.idempotencyRecord?.claim();
      await transactPart(request, [{ put: tokenKeys.token('hash'), item: {} }], ['a part']);
      const [claim] = await queryAll<object>(table, requestKeys.allItems(requestIdentity.id));
      expect(claim).toMatchObject({ sk: 'ANSWER', version: 1 });
      expect(claim).not.toHaveProperty('status');
      return 'done';
    };
    expect(await carryOutOnce({ request: table, requestIdentity }, run, reply, false)).toEqual(reply('done'));
    expect(await queryAll(table, requestKeys.allItems(requestIdentity.id))).toMatchObject([
      { sk: 'ANSWER', version: 2, status: 201, text: 'done' },
      { names: '["a part"]' },
    ]);
  });

  test('continues if the same request has claimed the key in the meantime', async () => {
    let runs = 0;
    const write = ({ request }: { readonly request: Request }) =>
      transact(request, [{ put: tokenKeys.token('hash'), item: {} }], 'done');
    const claimedMeanwhile = async ({ request }: { readonly request: Request }) => {
      runs += 1;
      if (runs === 1) {
        // Interrupted right after its claim.
        const interrupted = async ({ request }: { readonly request: Request }) => {
          await request.idempotencyRecord?.claim();
          throw new Error('cut off');
        };
        await expect(carryOutOnce({ request: table, requestIdentity }, interrupted, reply, false)).rejects.toThrow(
          'cut off',
        );
      }
      await write({ request });
      return 'done';
    };
    expect(await carryOutOnce({ request: table, requestIdentity }, claimedMeanwhile, reply, false)).toEqual(
      reply('done'),
    );
    expect(runs).toBe(2);
  });

  test('is claimed once even if the response to its claim is lost', async () => {
    const run = async ({ request }: { readonly request: Request }) => {
      const fault = { request: 'TransactWriteItems', failure: 'lost answer', times: 1 } as const;
      await withFault(table, fault, async () => request.idempotencyRecord?.claim());
      return 'done';
    };
    expect(await carryOutOnce({ request: table, requestIdentity }, run, reply, false)).toEqual(reply('done'));
    expect(await carryOutOnce({ request: table, requestIdentity }, run, reply, false)).toMatchObject({ text: 'done' });
  });
});
