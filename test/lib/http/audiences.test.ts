import { describe, expect, test } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { hashOf, makeSecret } from '../../../lib/identity/tokens/token.ts';
import { revokeToken } from '../../../lib/identity/tokens/tokens.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import { name, object, text } from '../../../lib/values/primitives.ts';
import { sharedWorld } from '../../specifications/specify.ts';
import { call } from './requests.ts';

const base = { group: 'Test', summary: 'Test.' } as const;
const scopeText = { 200: object({ projects: text, environment: name }) };

/** An endpoint of each audience; those of SDKs show the scope that they are given. */
const endpoints: Readonly<Record<'admin' | 'client' | 'frontend' | 'evaluation', Endpoint>> = {
  admin: endpoint({ ...base, route: 'GET /api/admin/things', responses: { 200: null } }).handle(async () => {}),
  client: endpoint({ ...base, route: 'GET /api/client/things', audience: 'client', responses: scopeText }).handle(
    async ({ scope: { projects, environment } }) => ({ projects: projects.join(), environment }),
  ),
  frontend: endpoint({ ...base, route: 'GET /api/frontend/things', audience: 'frontend', responses: scopeText }).handle(
    async ({ scope: { projects, environment } }) => ({ projects: projects.join(), environment }),
  ),
  evaluation: endpoint({ ...base, route: 'GET /ofrep/v1/things', audience: 'evaluation', responses: scopeText }).handle(
    async ({ scope: { projects, environment } }) => ({ projects: projects.join(), environment }),
  ),
};
const audiences = Object.keys(endpoints) as (keyof typeof endpoints)[];

const { service, world } = sharedWorld();

async function statusesFor(authorization: string | undefined): Promise<number[]> {
  const answers = audiences.map((audience) =>
    call(endpoints[audience], { headers: { ...(authorization !== undefined && { authorization }) } }),
  );
  return (await Promise.all(answers)).map(({ statusCode = 0 }) => statusCode);
}

/** The same paths, where no endpoint is. */
async function statusesOfUnknownPaths(token: string | null): Promise<number[]> {
  const folderOf = (audience: string) => (audience === 'evaluation' ? 'ofrep/v1' : `api/${audience}`);
  const answers = audiences.map((audience) => service.get(`/${folderOf(audience)}/missing`, { token }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

const scope = { projects: ['*'], environment: 'development' };

/** Each kind of token, and what paths of admin, client, frontend and evaluation make of it. */
const matrix: readonly (readonly [title: string, make: () => string | Promise<string>, statuses: number[]])[] = [
  ['an admin token', () => service.adminToken, [200, 403, 403, 403]],
  ['a personal access token', () => world.token(), [200, 403, 403, 403]],
  ['a client token of all projects', () => world.clientToken(), [403, 200, 403, 200]],
  ['a client token of one project', () => world.clientToken({ projects: ['default'] }), [403, 200, 403, 200]],
  [
    'a client token of several projects',
    async () => world.clientToken({ projects: ['default', await world.project()] }),
    [403, 200, 403, 200],
  ],
  ['a frontend token', () => world.frontendToken(), [403, 403, 200, 200]],
  // Its form tells SDKs that it is of another kind, as on Unleash 8.
  ['an unknown admin token', () => makeSecret('admin'), [401, 403, 403, 403]],
  ['an unknown personal access token', () => 'user:x', [401, 403, 403, 403]],
  ['an unknown token', () => '*:development.0123456789abcdef0123456789abcdef', [401, 401, 401, 401]],
  [
    'an expired client token',
    async () =>
      (
        await createApiToken(service.table, systemUser, {
          kind: 'client',
          name: 'ci',
          ...scope,
          expiresAt: new Date(0),
        })
      ).value.secret,
    [401, 401, 401, 401],
  ],
  [
    'a revoked frontend token',
    async () => {
      const secret = await world.frontendToken();
      await revokeToken(service.table, hashOf(secret).slice(0, 16));
      return secret;
    },
    [401, 401, 401, 401],
  ],
];

describe.each(matrix)('%s', (_title, make, statuses) => {
  test(`is answered ${statuses.join(', ')} by paths of admin, client, frontend and evaluation`, async () => {
    const token = await make();
    for (const header of [token, `Bearer ${token}`, ` ${token} `]) expect(await statusesFor(header)).toEqual(statuses);
  });

  test('gets the same answer at a path without an endpoint, or 404 if it is accepted there', async () => {
    const unknown = statuses.map((status) => (status === 200 ? 404 : status));
    expect(await statusesOfUnknownPaths(await make())).toEqual(unknown);
  });
});

test('A missing token gets a 401 at all paths', async () => {
  expect(await statusesFor(undefined)).toEqual([401, 401, 401, 401]);
  expect(await statusesOfUnknownPaths(null)).toEqual([401, 401, 401, 401]);
});

test('An endpoint for SDKs gets the projects and the environment of the stored token, not those in its text', async () => {
  const projects = [await world.project(), await world.project()];
  const token = await world.clientToken({ projects, environment: 'production' });
  expect(token).toMatch(/^\[\]:production\./);
  const { body = '' } = await call(endpoints.client, { headers: { authorization: token } });
  expect(JSON.parse(body)).toEqual({ projects: projects.join(), environment: 'production' });
});

test('The error for a token of another kind names the required kind, in the usual error format', async () => {
  const answer = await service.get('/api/client/missing', { token: await world.frontendToken() });
  expect(answer.body).toMatchObject({
    name: 'NoAccessError',
    message: 'This path requires a client token, but the request has a frontend token.',
  });
});
