import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { reads as notFoundReads } from '../../functions/service/not-found.ts';
import { bundle } from '../../infra/bundle.ts';
import { functionOf, handlerFile, listEndpoints } from '../../infra/deployed-endpoints.ts';
import { listEntryPoints, unroutedHandler } from '../../infra/entry-points.ts';
import { insecureLocalToken } from '../../infra/local/insecure-token.ts';
import { type Endpoint, readsOf, routeOf, variables } from '../../lib/http/declaration.ts';
import * as tokenKeys from '../../lib/identity/tokens/keys.ts';
import { hashOf } from '../../lib/identity/tokens/token.ts';
import { referenceDirectory } from '../../lib/pages/reference-directory.ts';
import { referenceFiles } from '../../lib/pages/reference-files.ts';
import { transact } from '../../lib/store/transactions/transact.ts';
import { bundleBytesMax } from '../harness/budgets.ts';
import { openMailServer, withoutTls } from '../harness/mail-server.ts';
import { openParameterStore } from '../harness/parameter-store.ts';
import { storeEndpoint } from '../harness/store-endpoint.ts';
import { freshTable } from '../harness/table.ts';
import { folderOfTests } from '../harness/test-folder.ts';
import { saml } from '../specifications/bodies.ts';
import { wholeDocument } from '../specifications/whole-document.ts';
import { invokeBundle } from './invoke-bundle.ts';
import { recordingProxy } from './recording-proxy.ts';

const files = { ...listEntryPoints('few'), ...listEntryPoints() };
const directory = folderOfTests();
beforeAll(() => bundle(files, directory));

const bundleOf = (name: string) => join(directory, name, 'index.cjs');

/** A request that needs the whole chain, and reads the store twice: once for the token, once for the answer. */
const environments = () => ({
  file: bundleOf('getAllEnvironments'),
  method: 'GET',
  path: '/api/admin/environments',
});

const tokenOfAnn = '*:*.0123456789abcdef';

/** A table that knows an administrator by a token. */
async function tableOfAnn() {
  const table = await freshTable();
  const item = { kind: 'admin', name: 'ann', createdAt: new Date().toISOString() };
  await transact(table, [{ put: tokenKeys.token(hashOf(tokenOfAnn)), item }], undefined);
  return table;
}

test('a bundle is made from the file that the registry takes the handler from', async () => {
  for (const [operationId, handler] of Object.entries<Endpoint>(registry)) {
    const module = (await import(handlerFile(operationId))) as Readonly<Record<string, Endpoint>>;
    expect(module[operationId], operationId).toBe(handler);
  }
});

test.each(Object.keys(files))('the bundle of %s is within its budget', (name) => {
  expect(statSync(bundleOf(name)).size).toBeLessThanOrEqual(bundleBytesMax(name));
});

test.each(Object.keys(files))(
  'the bundle of %s has the endpoints of this function alone, whatever else their files export',
  (name) => {
    const members = listEndpoints().filter(
      (each) => functionOf(each, 'many') === name || functionOf(each, 'few') === name,
    );
    const routes = readFileSync(bundleOf(name), 'utf8').matchAll(/\broute:(["'`])(.*?)\1/g);
    const declarations = members.flatMap(({ declaration }) => [
      declaration,
      ...(declaration.calls ?? []).map((each) => each.declaration),
    ]);
    expect(new Set([...routes].map(([, , route]) => route))).toEqual(new Set(declarations.map(routeOf)));
  },
);

describe('an endpoint declares the variables that it reads', () => {
  /** The variables whose names are in the code of a function. */
  const foundIn = (name: string) => {
    const code = readFileSync(bundleOf(name), 'utf8');
    return variables.filter((variable) => new RegExp(`\\b${variable}\\b`).test(code));
  };
  const ofTheirOwn = Object.entries<Endpoint>(registry).filter(([operationId]) => operationId in files);

  test.each(ofTheirOwn)('%s', (operationId, { declaration }) => {
    expect(readsOf(declaration).toSorted()).toEqual(foundIn(operationId).toSorted());
  });

  test('endpoints that share a function declare them, too', () => {
    for (const functions of ['many', 'few'] as const) {
      for (const [name, members] of Map.groupBy(listEndpoints(), (each) => functionOf(each, functions))) {
        const declared = new Set(members.flatMap(({ declaration }) => readsOf(declaration)));
        expect([...declared].toSorted(), name).toEqual(foundIn(name).toSorted());
      }
    }
  });

  test('the handler of requests without an endpoint declares them, too', () => {
    expect(notFoundReads.toSorted()).toEqual(foundIn(unroutedHandler).toSorted());
  });
});

test('the insecure local token is in no bundle', () => {
  const [, secret = ''] = insecureLocalToken.split('.');
  expect(secret.length).toBeGreaterThan(10);
  for (const name of Object.keys(files))
    expect(readFileSync(bundleOf(name), 'utf8').includes(secret), name).toBe(false);
});

test('a bundle needs no packages', async () => {
  const request = { file: bundleOf('getHealth'), method: 'GET', path: '/health', environment: {} };
  const { statusCode, body, parameters } = await invokeBundle(request);
  expect({ statusCode, body: JSON.parse(body) }).toEqual({ statusCode: 200, body: { health: 'GOOD' } });
  // Lambda's Node 24 refuses a handler that takes a callback.
  expect(parameters).toBeLessThanOrEqual(2);
});

test("a bundle does not load Node's own fetch, which would delay its first answer", async () => {
  const { loaded } = await invokeBundle({ ...environments(), environment: {} });
  expect(loaded).toContain('NativeModule https');
  expect(loaded).not.toContain('NativeModule internal/deps/undici/undici');
});

test('a missing token is refused without a read, an unknown one after looking it up', async () => {
  const { name } = (await freshTable()).store;
  await using proxy = await recordingProxy(storeEndpoint());
  const request = { ...environments(), environment: { TABLE_NAME: name, DYNAMODB_ENDPOINT: proxy.url } };

  await expect(invokeBundle(request)).resolves.toMatchObject({ statusCode: 401 });
  expect(proxy.received).toHaveLength(0);

  await expect(invokeBundle({ ...request, authorization: 'user:abc' })).resolves.toMatchObject({ statusCode: 401 });
  // For the token, and for the private projects that its holder may have to be kept from.
  expect(proxy.received).toHaveLength(2);
});

test('a bundle writes a log line and a line of metrics for a request', async () => {
  const { declaration } = registry.getHealth;
  const environment = { METRICS_NAMESPACE: 'Flags', METRICS_GROUP: 'service' };
  const request = { file: bundleOf('getHealth'), method: 'GET', path: declaration.path, environment };
  const { logged } = await invokeBundle(request);
  expect(logged).toMatchObject([
    { level: 'INFO', requestId: 'test', route: 'GET /health', status: 200, storeRoundTrips: 0 },
    { _aws: { CloudWatchMetrics: [{ Namespace: 'Flags' }] }, group: 'service', errors: 0 },
  ]);
});

test('a request without a route gets a 404 in the usual error format', async () => {
  const request = { file: bundleOf(unroutedHandler), method: 'GET', path: '/nowhere', environment: {} };
  const { statusCode, body } = await invokeBundle(request);
  expect({ statusCode, body: JSON.parse(body) }).toMatchObject({ statusCode: 404, body: { name: 'NotFoundError' } });
});

test('the OpenAPI document of the bundle is that of the registry', async () => {
  const { method, path } = registry.getOpenApiDocument.declaration;
  const { statusCode, body } = await invokeBundle({
    file: bundleOf('getOpenApiDocument'),
    method,
    path,
    environment: {},
  });
  expect({ statusCode, body: JSON.parse(body) }).toEqual({
    statusCode: 200,
    body: JSON.parse(JSON.stringify(wholeDocument())),
  });
});

test('the files of the API reference are next to the bundle that serves them', async () => {
  for (const name of referenceFiles) {
    const request = { file: bundleOf('getApiReferenceFile'), method: 'GET', path: `/docs/${name}`, environment: {} };
    const { statusCode, body } = await invokeBundle({ ...request, pathParameters: { file: name } });
    expect({ statusCode, bytes: Buffer.byteLength(body) }).toEqual({
      statusCode: 200,
      bytes: statSync(join(referenceDirectory(), name)).size,
    });
  }
});

test('a bundle reads the reasons of a refused transaction, and continues', async () => {
  const table = await tableOfAnn();
  await using proxy = await recordingProxy(storeEndpoint(), {
    action: 'TransactWriteItems',
    body: {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      Message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict, None]',
      CancellationReasons: [
        { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
        { Code: 'None' },
      ],
    },
  });
  const { declaration } = registry.setSamlSettings;
  const request = {
    file: bundleOf('settings'),
    method: declaration.method,
    path: declaration.path,
    authorization: tokenOfAnn,
    body: saml('https://idp.example.com'),
    environment: { TABLE_NAME: table.store.name, DYNAMODB_ENDPOINT: proxy.url },
  };
  await expect(invokeBundle(request)).resolves.toMatchObject({ statusCode: 200 });
  const written = proxy.received.filter(
    (headers) => headers['x-amz-target'] === 'DynamoDB_20120810.TransactWriteItems',
  );
  expect(written).toHaveLength(2);
});

test('a bundle that sends mails loads what speaks to mail servers from its own folder', async () => {
  const table = await tableOfAnn();
  await using proxy = await recordingProxy(storeEndpoint());
  await using server = await openMailServer(withoutTls);
  await using parameters = await openParameterStore('/flags/smtp');
  parameters.value = `smtp://localhost:${server.port}?tls=optional`;
  const { declaration } = registry.createUser;
  const { statusCode } = await invokeBundle({
    file: bundleOf(functionOf({ operationId: 'createUser', folder: 'users' })),
    method: declaration.method,
    path: declaration.path,
    authorization: tokenOfAnn,
    body: { email: 'zoe@example.com', name: 'Zoe', rootRole: 3 },
    environment: {
      ...{ TABLE_NAME: table.store.name, DYNAMODB_ENDPOINT: proxy.url },
      PUBLIC_URL: 'https://flags.example.com',
      ...{ ...parameters.environment, EMAIL_SENDER: 'flags@example.com', SMTP_PARAMETER: '/flags/smtp' },
    },
  });
  expect([statusCode, server.mails.map(({ to }) => to)]).toEqual([201, ['zoe@example.com']]);
});

test("a bundle signs its requests with the credentials and for the region of the function's environment", async () => {
  const table = await tableOfAnn();
  await using proxy = await recordingProxy(storeEndpoint());

  const environment = {
    TABLE_NAME: table.store.name,
    DYNAMODB_ENDPOINT: '',
    // The SDK's own variable puts the proxy in the place of AWS; the others are what Lambda sets.
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'the secret access key',
    AWS_SESSION_TOKEN: 'the session token',
    // Changes nothing, since the bundle has no part of endpoint discovery that could be of use.
    AWS_ENABLE_ENDPOINT_DISCOVERY: 'true',
  };
  const request = { ...environments(), authorization: tokenOfAnn, environment };
  await expect(invokeBundle(request)).resolves.toMatchObject({ statusCode: 200 });

  expect(proxy.received.length).toBeGreaterThanOrEqual(2);
  for (const headers of proxy.received) {
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\//);
    expect(headers['x-amz-security-token']).toBe('the session token');
  }
});
