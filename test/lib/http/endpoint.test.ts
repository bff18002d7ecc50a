import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { object } from '../../../lib/values/primitives.ts';
import { newTokenOf } from '../../harness/features.ts';
import { changesBetween, contentOf } from '../../harness/items.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { freshService } from '../../harness/service.ts';
import { call } from './requests.ts';

const unrestricted = { path: '/lamps', group: 'Lamps', summary: 'Lamps.', audience: 'public' } as const;
const declared = { ...unrestricted, rights: 'none' } as const;
const lamp = object({ name: v.string() });
logWatch.allow('GET /lamps');
logWatch.allow('POST /lamps');

async function ask(handler: Endpoint, event: Partial<APIGatewayProxyEventV2> = {}) {
  const { statusCode, headers = {}, body } = await call(handler, event);
  return { status: statusCode, headers, body };
}

const patch = endpoint({
  ...declared,
  method: 'POST',
  body: v.array(object({ op: v.string() })),
  bodyType: 'application/json-patch+json',
  responses: { 200: v.array(v.string()) },
}).handle(async ({ body }) => body.map(({ op }) => op));

describe('The reply of an endpoint', () => {
  test('has the declared status, and the body that the handler results in', async () => {
    const add = endpoint({ ...declared, method: 'POST', responses: { 201: lamp } }).handle(async () => ({ name: 'a' }));
    expect(await ask(add)).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"name":"a"}',
    });
  });

  test.each([200, 202, 204] as const)(
    'of status %i without a body is empty, whatever the handler results in',
    async (status) => {
      const run = endpoint({ ...declared, method: 'POST', responses: { [status]: null } }).handle(
        async () => undefined,
      );
      const { headers, ...reply } = await ask(run);
      expect(reply).toEqual({ status, body: '' });
      expect(headers['content-type']).toBeUndefined();
    },
  );

  test('has the headers and the body that the endpoint says apart', async () => {
    const add = endpoint({ ...declared, method: 'POST', responses: { 201: lamp } }).handle(
      async () => 7,
      (id) => ({ headers: { location: `/lamps/${id}` }, body: { name: 'desk' } }),
    );
    expect(await ask(add)).toMatchObject({ headers: { location: '/lamps/7' }, body: '{"name":"desk"}' });
  });

  test('is text of the declared type where it is no JSON', async () => {
    const list = endpoint({ ...declared, method: 'GET', contentType: 'text/csv', responses: { 200: v.string() } });
    const reply = await ask(list.handle(async () => 'name\n"desk"'));
    expect(reply).toMatchObject({ headers: { 'content-type': 'text/csv' }, body: 'name\n"desk"' });
  });
});

describe('An endpoint with an ETag', () => {
  const read = endpoint({ ...declared, method: 'GET', etag: true, responses: { 200: lamp, 304: null } }).handle(
    async () => ({ value: { name: 'desk' }, version: 7 }),
  );

  test('shows the version of what it replies', async () => {
    expect(await ask(read)).toMatchObject({ status: 200, headers: { etag: '"7"' }, body: '{"name":"desk"}' });
  });

  test.each(['"7"', 'W/"7"', '"1", "7"', '*'])('is 304 without a body for a caller who knows %s', async (known) => {
    const reply = await ask(read, { headers: { 'if-none-match': known } });
    expect(reply).toMatchObject({ status: 304, headers: { etag: '"7"' }, body: '' });
    expect(reply.headers['content-type']).toBeUndefined();
  });

  test.each(['"8"', '7', '""', 'W/"77"'])('is 200 for a caller who knows %s', async (known) => {
    expect(await ask(read, { headers: { 'if-none-match': known } })).toMatchObject({ status: 200 });
  });
});

describe('An endpoint that takes JSON Patch', () => {
  test.each(['application/json', 'application/json-patch+json', 'Application/JSON-Patch+JSON; charset=utf-8'])(
    'takes an array as %s',
    async (type) => {
      const reply = await ask(patch, { headers: { 'content-type': type }, body: '[{"op":"add"},{"op":"test"}]' });
      expect(reply).toMatchObject({ status: 200, body: '["add","test"]' });
    },
  );

  test('refuses any other type with a 415 that names both', async () => {
    const reply = await ask(patch, { headers: { 'content-type': 'application/merge-patch+json' }, body: '[]' });
    expect(reply.status).toBe(415);
    expect(reply.body).toContain('application/json or application/json-patch+json');
  });

  test('names the place of a mistake in the array', async () => {
    const reply = await ask(patch, {
      headers: { 'content-type': 'application/json' },
      body: '[{"op":"add"},{"op":1}]',
    });
    expect(JSON.parse(reply.body ?? '')).toMatchObject({ name: 'ValidationError', details: [{ path: '1.op' }] });
  });

  test('refuses an object', async () => {
    expect((await ask(patch, { headers: { 'content-type': 'application/json' }, body: '{}' })).status).toBe(400);
  });
});

describe('A reply that holds a secret', () => {
  const { audience: _, ...forPeople } = unrestricted;
  const create = endpoint({
    ...forPeople,
    method: 'POST',
    secret: true,
    responses: { 201: object({ secret: v.string() }) },
  }).handle(async () => ({ secret: `secret-${randomUUID()}` }));

  test('is given once: neither the store nor the log keeps it, and a repeat of the request is refused', async () => {
    const { table, adminToken } = await freshService();
    const before = await contentOf(table);
    const headers = { authorization: adminToken, 'idempotency-key': randomUUID() };
    const first = await ask(create, { headers });
    expect(first.status).toBe(201);
    const { secret } = JSON.parse(first.body ?? '');
    logWatch.keepTexts([secret]);

    const repeat = await ask(create, { headers });
    expect(repeat.status).toBe(400);
    expect(repeat.body).toContain('was carried out');
    expect(repeat.body).not.toContain(secret);
    const after = await contentOf(table);
    expect(changesBetween(before, after)).toHaveLength(1);
    expect(JSON.stringify(after)).not.toContain(secret);
  });
});

describe('Who may call an endpoint', () => {
  const { audience: _, ...forPeople } = declared;
  const profile = endpoint({
    ...forPeople,
    method: 'GET',
    permission: 'NONE',
    responses: { 200: object({ id: v.number() }) },
  }).handle(async ({ caller: { id } }) => ({ id }));
  const ofSdks = (audience: 'client' | 'frontend') =>
    endpoint({ ...forPeople, method: 'GET', audience, responses: { 200: null } }).handle(async () => {});

  test('is anybody with a user where it needs no permission, whatever their role is', async () => {
    const service = await freshService();
    const viewer = await newTokenOf(service, { username: 'viewer' });
    expect(await ask(profile, { headers: { authorization: viewer } })).toMatchObject({ status: 200 });
    expect((await ask(profile, { headers: { authorization: service.adminToken } })).body).toBe('{"id":-42}');
    expect((await ask(profile)).status).toBe(401);
  });

  test.each(['client', 'frontend'] as const)(
    'of the audience %s is nobody with a token for people',
    async (audience) => {
      const { adminToken } = await freshService();
      expect((await ask(ofSdks(audience), { headers: { authorization: adminToken } })).status).toBe(403);
    },
  );
});
