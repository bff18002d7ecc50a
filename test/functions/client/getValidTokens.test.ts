import { expect, test } from 'vitest';
import { createApiToken } from '../../../lib/api-tokens/api-tokens.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { newSecret } from '../../../lib/users/token.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getValidTokens', {
  route: 'POST /edge/validate',
  may: 'anyone',
  request: async (world) => ({ body: { tokens: [await world.clientToken()] } }),
  required: ['tokens'],
  differs: 'tokens of SDKs only, at most 500 at once',
});

test('Valid tokens of SDKs are listed once each, with their scope; all others are left out', async () => {
  const service = await freshService();
  const world = new World(service);
  const project = await world.project();
  const several = await world.clientToken({ projects: ['default', project], environment: 'production' });
  const frontend = await world.frontendToken();
  const scope = { projects: ['*'], environment: 'development' };
  const { value: expired } = await createApiToken(service.table, systemUser, {
    kind: 'client',
    name: 'late',
    ...scope,
    expiresAt: new Date(Date.now() - 1),
  });
  const others = [expired.secret, newSecret(scope), service.adminToken, await world.token(), '', 'no token'];
  const { status, body } = await service.post('/edge/validate', { tokens: [several, ...others, frontend, several] });
  expect([status, body]).toEqual([
    200,
    {
      tokens: [
        { token: several, type: 'client', projects: ['default', project], environment: 'production' },
        { token: frontend, type: 'frontend', ...scope },
      ],
    },
  ]);
});

test('More than 500 tokens are refused', async () => {
  const service = await freshService();
  const answer = await service.post('/edge/validate', { tokens: Array.from({ length: 501 }, () => 'a') });
  expect([answer.status, answer.body.details[0].path]).toEqual([400, 'tokens']);
});
