import { describe, expect, test } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import * as keys from '../../../lib/store/keys.ts';
import { readItem } from '../../../lib/store/read.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import { hashOf } from '../../../lib/tokens/token.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('updateApiToken', {
  route: 'PUT /api/admin/api-tokens/{token}',
  versionAt: 'replies',
  ...openTo('Admin', 'UPDATE_CLIENT_API_TOKEN', 'UPDATE_FRONTEND_API_TOKEN'),
  request: async (world) => ({
    params: { token: await world.clientToken() },
    body: { expiresAt: '2030-01-01T00:00:00Z' },
  }),
  required: ['expiresAt'],
  nullable: ['expiresAt'],
  differs: 'an unknown token is 404; null for one that does not expire',
});

describe('Changing when a token expires', () => {
  const { service, world } = sharedWorld();
  const update = (token: string, expiresAt: string | null) =>
    service.put(`/api/admin/api-tokens/${encodeURIComponent(token)}`, { expiresAt });
  const expiryOf = async (name: string) =>
    (await service.get(`/api/admin/api-tokens/${name}`)).body.tokens[0].expiresAt;

  test('prolongs it, ends it, and takes the end away, each with an event that shows both', async () => {
    const secret = await world.frontendToken({ projects: ['default'] });
    const name = 'frontend-token-1';
    expect(await update(secret, '2031-01-01T00:00:00+01:00')).toMatchObject({ status: 200, text: '' });
    expect(await expiryOf(name)).toBe('2030-12-31T23:00:00.000Z');
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'api-token-updated',
      project: 'default',
      environment: 'development',
      data: { tokenName: name, expiresAt: '2030-12-31T23:00:00.000Z' },
      preData: { tokenName: name, expiresAt: null },
    });
    await update(secret, null);
    expect(await expiryOf(name)).toBeNull();
  });

  test('brings a token back that has expired, which the store has not cleared away', async () => {
    const { value } = await createApiToken(service.table, systemUser, {
      kind: 'client',
      name: 'late',
      projects: ['*'],
      environment: 'development',
      expiresAt: new Date(Date.now() - 1_000),
    });
    const { secret } = value;
    expect(await readItem(service.table, keys.token(hashOf(secret)))).not.toHaveProperty('expiresAtSeconds');
    expect((await service.get('/api/client/missing', { token: secret })).status).toBe(401);
    expect((await update(secret, '2030-01-01T00:00:00Z')).status).toBe(200);
  });

  test('finds the token by its secret, by its id, and by what a list shows', async () => {
    const secret = await world.clientToken();
    const { tokens } = (await service.get('/api/admin/api-tokens')).body;
    const masked = tokens.at(-1).secret;
    for (const [index, named] of [secret, hashOf(secret).slice(0, 16), masked].entries()) {
      expect((await update(named, `203${index}-01-01T00:00:00Z`)).status).toBe(200);
      expect(await expiryOf(tokens.at(-1).tokenName)).toBe(`203${index}-01-01T00:00:00.000Z`);
    }
  });

  test('moves the day on which the store may clear an admin token away', async () => {
    const { secret } = await createToken(service.table, {
      kind: 'admin',
      name: 'ci',
      expiresAt: new Date('2029-01-01'),
    });
    await update(secret, '2030-01-01T00:00:00Z');
    const item = await readItem<{ expiresAtSeconds?: number }>(service.table, keys.token(hashOf(secret)));
    expect(item?.expiresAtSeconds).toBe(Date.parse('2030-01-01') / 1000);
    await update(secret, null);
    expect(await readItem(service.table, keys.token(hashOf(secret)))).not.toHaveProperty('expiresAtSeconds');
  });

  test('is refused for a personal token, which is its owner’s', async () => {
    expect((await update(await world.token(), null)).status).toBe(404);
  });
});
