import { expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import { World } from '../../harness/world.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getApiTokensByName', {
  route: 'GET /api/admin/api-tokens/{token}',
  may: ['Admin', 'Editor'],
  needs: ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
  request: async (world) => {
    await world.clientToken();
    return { params: { token: 'client-token-1' } };
  },
  takesAnyName: ['token'],
});

test('All tokens of a name are listed, of the kinds that the caller may read; none for a name that no token has', async ({
  service,
}) => {
  const scope = { name: 'my own token', projects: ['*'], environment: 'development' };
  for (const kind of ['client', 'frontend'] as const)
    await createApiToken(service.table, systemUser, { kind, ...scope });
  await new World(service).clientToken();
  const named = async (name: string, token = service.adminToken) => {
    const { body } = await service.get(`/api/admin/api-tokens/${encodeURIComponent(name)}`, { token });
    // Those that were made at the same time have no order.
    return body.tokens.toSorted((a: { type: string }, b: { type: string }) => a.type.localeCompare(b.type));
  };
  expect(await named('my own token')).toMatchObject([
    { tokenName: 'my own token', type: 'client' },
    { tokenName: 'my own token', type: 'frontend' },
  ]);
  expect(await named('my')).toEqual([]);
  expect(await named('admin')).toMatchObject([{ type: 'admin' }]);
  expect(await named('admin', await new World(service).token({ rootRole: 'Editor' }))).toEqual([]);
});
