import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { object } from '../../../lib/values/primitives.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { call } from './requests.ts';

const unrestricted = { group: 'Lamps', summary: 'Lamps.', audience: 'public' } as const;
const declared = { ...unrestricted, rights: 'none' } as const;
logWatch.allow('GET /lamps');
logWatch.allow('POST /lamps');

async function ask(handler: Endpoint, event: Partial<APIGatewayProxyEventV2> = {}) {
  const { statusCode, headers = {}, body } = await call(handler, event);
  return { status: statusCode, headers, body };
}

const patch = endpoint({
  ...declared,
  route: 'POST /lamps',
  body: v.array(object({ op: v.string() })),
  bodyType: 'application/json-patch+json',
  responses: { 200: v.array(v.string()) },
}).handle(async ({ body }) => body.map(({ op }) => op));

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
