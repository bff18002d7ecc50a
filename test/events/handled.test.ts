import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { insecureLocalToken } from '../../infra/local/insecure-token.ts';
import type { Endpoint } from '../../lib/http/declaration.ts';
import { toContext } from '../../lib/http/local/context.ts';
import { readSeed } from '../../lib/seed/seed-data.ts';
import { addAdminTokens } from '../../lib/users/token-store.ts';
import { freshService } from '../harness/service.ts';

const directory = new URL('.', import.meta.url);
const handlers = new Map(Object.entries<Endpoint>(registry));

/** They make what the others are about. */
const first = ['importToggles', 'setSamlSettings'];
const inOrder = [...first, ...[...handlers.keys()].filter((operationId) => !first.includes(operationId))];

beforeAll(async () => {
  const seedFile = new URL('../fixtures/seed.json', import.meta.url);
  const { table } = await freshService(readSeed(JSON.parse(readFileSync(seedFile, 'utf8'))));
  await addAdminTokens(table, [insecureLocalToken]);
});

test('there is an event file for each operation, and no other', () => {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  expect(files.toSorted()).toEqual([...handlers.keys()].map((operationId) => `${operationId}.json`).toSorted());
});

test.each(inOrder)(
  'on a store with the seed of the tests, after the import and the SAML settings, the event of %s succeeds',
  async (operationId) => {
    const handler = handlers.get(operationId) as Endpoint;
    const event = JSON.parse(readFileSync(new URL(`${operationId}.json`, directory), 'utf8'));
    const context = toContext({ ...event, handler }, event.requestContext.requestId);
    const { statusCode, body } = await handler(event, context);
    expect(Object.keys(handler.declaration.responses), body).toContain(String(statusCode));
  },
);
