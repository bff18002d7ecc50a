import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as tokenKeys from '../../../../lib/identity/tokens/keys.ts';
import { hashOf } from '../../../../lib/identity/tokens/token.ts';
import { recordTokenUse } from '../../../../lib/identity/tokens/token-use.ts';
import { revokeToken, type Token, tokens } from '../../../../lib/identity/tokens/tokens.ts';
import type { Request } from '../../../../lib/request.ts';
import { interrupted } from '../../../harness/imports.ts';
import { recordStoreRequests } from '../../../harness/store-requests.ts';
import { sharedWorld } from '../../../specifications/specify.ts';

const { service, world } = sharedWorld();
let table: Request;
beforeAll(async () => {
  table = service.table;
});
afterEach(() => void vi.useRealTimers());

const stored = async (secret: string) => (await tokens.load(table, hashOf(secret))).value;
const updatesOf = async (action: () => Promise<unknown>) =>
  (await recordStoreRequests(table, action)).filter(({ command }) => command === 'UpdateItem' || command === 'Update')
    .length;

describe('The last use of an SDK token', () => {
  test('is stored at its first use, and shown in lists', async () => {
    const secret = await world.clientToken();
    expect((await stored(secret)).seenAt).toBeUndefined();
    const since = new Date().toISOString();
    await service.get('/api/client/missing', { token: secret });
    await vi.waitFor(async () => expect((await stored(secret)).seenAt).toBeDefined(), { timeout: 60_000 });
    const { seenAt = '' } = await stored(secret);
    expect(seenAt >= since && seenAt <= new Date().toISOString()).toBe(true);
    expect((await service.get('/api/admin/api-tokens')).body.tokens.at(-1).seenAt).toBe(seenAt);
  });

  test('is not stored again within ten minutes, whichever process has stored it', async () => {
    const token = await stored(await world.clientToken());
    expect(await updatesOf(() => recordTokenUse(table, token))).toBe(1);
    expect(await updatesOf(() => recordTokenUse(table, token))).toBe(0);
    const seenElsewhere: Token = { ...(await stored(await world.clientToken())), seenAt: new Date().toISOString() };
    expect(await updatesOf(() => recordTokenUse(table, seenElsewhere))).toBe(0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    expect(await updatesOf(() => recordTokenUse(table, token))).toBe(1);
    expect(await updatesOf(() => recordTokenUse(table, seenElsewhere))).toBe(1);
  });

  test('neither fails for a deleted token nor brings it back', async () => {
    const secret = await world.clientToken();
    const token = await stored(secret);
    await revokeToken(table, hashOf(secret).slice(0, 16));
    await recordTokenUse(table, token);
    await sleep(1);
    expect(await tokens.find(table, token.hash)).toBeUndefined();
  });

  test('survives a change of the expiry, also one at the same moment', async () => {
    const secret = await world.clientToken();
    const token = await stored(secret);
    const path = `/api/admin/api-tokens/${token.hash.slice(0, 16)}`;
    const prolong = () => service.put(path, { expiresAt: '2030-01-01T00:00:00Z' });
    expect(
      (await interrupted(table, tokenKeys.token(token.hash), () => recordTokenUse(table, token), prolong)).status,
    ).toBe(200);
    const { seenAt, expiresAt } = await stored(secret);
    expect([typeof seenAt, expiresAt]).toEqual(['string', '2030-01-01T00:00:00.000Z']);
    await service.put(path, { expiresAt: '2031-01-01T00:00:00Z' });
    expect((await stored(secret)).seenAt).toBe(seenAt);
  });
});
