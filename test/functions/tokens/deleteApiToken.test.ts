import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../lib/tokens/token.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import { writesNothing } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteApiToken', {
  route: 'DELETE /api/admin/api-tokens/{token}',
  versionAt: 'replies',
  ...openTo('Admin', 'DELETE_CLIENT_API_TOKEN', 'DELETE_FRONTEND_API_TOKEN'),
  request: async (world) => ({ params: { token: await world.clientToken() } }),
  others: {
    'by its id': async (world) => ({ params: { token: hashOf(await world.frontendToken()).slice(0, 16) } }),
  },
  again: 404,
  differs: 'an unknown token is 404',
});

describe('Deleting a token', () => {
  const { service, world } = sharedWorld();
  const remove = (target: string, token = service.adminToken) =>
    service.call('DELETE', `/api/admin/api-tokens/${target}`, { token });
  const list = async () => (await service.get('/api/admin/api-tokens')).body.tokens;

  test('finds it by its secret, escaped or not, by its id, and by what a list shows in place of its secret', async () => {
    const secret = await world.clientToken();
    // As Terraform sends it.
    expect((await remove(secret.replace('*', '%2A'))).status).toBe(200);
    expect((await remove(await world.clientToken())).status).toBe(200);
    const [byId, shown] = [await world.clientToken(), await world.clientToken()];
    expect((await remove(hashOf(byId).slice(0, 16))).status).toBe(200);
    const masked = (await list()).at(-1).secret;
    expect(masked).toMatch(/^\*:development\.[0-9a-f]{7}\*{3}masked-since-shown-once\*{3}[0-9a-f]{16}$/);
    expect((await remove(encodeURIComponent(masked))).status).toBe(200);
    expect(await list()).toHaveLength(1);
    for (const token of [secret, byId, shown]) {
      expect((await service.get('/api/client/missing', { token })).status).toBe(401);
    }
  });

  test('writes an event that shows what it was', async () => {
    const secret = await world.frontendToken({ projects: ['default'], environment: 'production' });
    await remove(encodeURIComponent(secret));
    const event = (await serviceEvents(service.table)).at(-1);
    expect(event).toMatchObject({
      type: 'api-token-deleted',
      project: 'default',
      environment: 'production',
      data: null,
      preData: { tokenName: 'frontend-token-1', type: 'frontend', projects: ['default'], environment: 'production' },
    });
    expect(JSON.stringify(event)).not.toContain(secret.split('.')[1]);
  });

  test('does not repeat in its answer what it does not find', async () => {
    const secret = await world.clientToken();
    const slip = `${secret.slice(0, -1)}x`;
    const { status, text } = await writesNothing(service, () => remove(encodeURIComponent(slip)));
    expect(status).toBe(404);
    expect(text).not.toContain(secret.split('.')[1]?.slice(0, 16));
  });

  test('leaves personal tokens to their owners, but not admin tokens', async () => {
    expect((await remove(await world.token())).status).toBe(404);
    const { secret } = await createToken(service.table, { kind: 'admin', name: 'ci' });
    expect((await remove(encodeURIComponent(secret))).status).toBe(200);
  });
});
