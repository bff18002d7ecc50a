import { expect } from 'vitest';
import { hashOf } from '../../../lib/tokens/token.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('getAllApiTokens', {
  route: 'GET /api/admin/api-tokens',
  ...openTo('Editor', 'READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'),
  given: (world) => world.clientToken({ projects: ['default'] }),
  differs: 'client tokens without their secrets, unless READABLE_CLIENT_TOKENS is set',
});

test('API tokens of kinds that the caller may read are listed by age, without secrets', async ({ service, world }) => {
  const client = await world.clientToken({ projects: ['default'] });
  const frontend = await world.frontendToken({ environment: 'production' });
  const personal = await world.token({ rootRole: 'Editor' });

  const { tokens } = (await service.get('/api/admin/api-tokens')).body;
  const random = (secret: string) => secret.slice(secret.indexOf('.') + 1);
  const id = (secret: string) => hashOf(secret).slice(0, 16);
  expect(tokens).toMatchObject([
    { type: 'admin', tokenName: 'admin', environment: '*', projects: ['*'], project: '*' },
    {
      type: 'client',
      secret: `default:development.${random(client).slice(0, 7)}***masked-since-shown-once***${id(client)}`,
      tokenName: 'client-token-1',
      projects: ['default'],
      environment: 'development',
    },
    { type: 'frontend', secret: frontend, tokenName: 'frontend-token-1', projects: ['*'], environment: 'production' },
  ]);
  expect(tokens[0].secret).toBe(
    `*:*.${random(service.adminToken).slice(0, 7)}***masked-since-shown-once***${id(service.adminToken)}`,
  );

  const forEditors = await service.get('/api/admin/api-tokens', { token: personal });
  expect(forEditors.body.tokens.map(({ type }: { type: string }) => type)).toEqual(['client', 'frontend']);
});

test('What a list shows in place of a secret opens nothing', async ({ service, world }) => {
  await createToken(service.table, { kind: 'admin', name: 'ci' });
  await world.clientToken();
  const { tokens } = (await service.get('/api/admin/api-tokens')).body;
  for (const { secret } of tokens) {
    expect((await service.get('/api/admin/api-tokens', { token: secret })).status).toBe(401);
    expect((await service.get('/api/client/missing', { token: secret })).status).toBe(401);
  }
});
