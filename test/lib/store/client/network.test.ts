import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createEnvironmentRequest, createRequest } from '../../../../lib/request.ts';
import { marshall } from '../../../../lib/store/client/marshall.ts';
import { openStore } from '../../../../lib/store/client/open-store.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { queryAll, readItem } from '../../../../lib/store/read.ts';
import { raiseCounter, transact } from '../../../../lib/store/transactions/transact.ts';
import { codePoint } from '../../../harness/code-point.ts';
import { listeningInTest } from '../../../harness/listening.ts';
import { sharedTable } from '../../../specifications/specify.ts';

const key = { pk: 'THING', sk: 'THING' };
const table = sharedTable();

describe('A stored item', () => {
  const attribute = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.json(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
  );
  // The keys of the index must be texts, so they are not generated here.
  const name = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `_${text}`);

  test('is read as it was written, by key and with its partition', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, attribute, { maxKeys: 6, noNullPrototype: true }), async (item) => {
        await transact(table, [{ put: key, item }], undefined);
        expect(await readItem(table, key)).toEqual({ ...item, ...key });
        expect(await queryAll(table, { pk: key.pk })).toEqual([{ ...item, ...key }]);
      }),
      { numRuns: 40 },
    );
  });

  test('lacks undefined attributes', async () => {
    await transact(table, [{ put: key, item: { left: 1, out: undefined } }], undefined);
    expect(await readItem(table, key)).toEqual({ left: 1, ...key });
  });
});

test("A refused transaction has the store's reasons in the order of its writes", async () => {
  const put = (sk: string, condition?: string) => ({
    Put: {
      TableName: table.store.name,
      Item: marshall({ pk: 'REFUSED', sk }),
      ...(condition && { ConditionExpression: condition }),
    },
  });
  const TransactItems = [put('a'), put('b', 'attribute_exists(pk)')];
  await expect(table.store.client.send('TransactWriteItems', { TransactItems })).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
  });
});

test('An item with an attribute of an unsupported type cannot be read', async () => {
  const item = { pk: { S: 'FOREIGN' }, sk: { S: 'LIST' }, list: { L: [{ S: 'a' }] } };
  const foreign = await storeThat((response) =>
    response.end(JSON.stringify({ Responses: { [foreign.table.store.name]: [item] } })),
  );
  await expect(readItem(foreign.table, { pk: 'FOREIGN', sk: 'LIST' })).rejects.toThrow('"list" has the type L');
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A store that records requests, and answers them by `answer`. */
async function storeThat(answer: (response: ServerResponse, count: number) => void) {
  const received: Received[] = [];
  const endpoint = await listeningInTest(async (request, response) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: JSON.parse((await Array.fromAsync(request)).join('')) });
    answer(response, received.length);
  });
  const identity = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' };
  for (const [name, value] of Object.entries({ ...identity, DYNAMODB_ENDPOINT: endpoint })) vi.stubEnv(name, value);
  return { endpoint, received, table: createEnvironmentRequest() };
}

describe('A request over the network', () => {
  test("equals the one that AWS's SDK sends", async () => {
    const store = await storeThat((response) => response.end('{}'));
    const search = {
      TableName: 'flags',
      KeyConditionExpression: 'pk = :text',
      ExpressionAttributeValues: marshall({ ':text': 'ü', ':number': 1.5, ':none': null, ':no': false }),
    };
    await new DynamoDBClient({ endpoint: store.endpoint, region: 'eu-central-1' }).send(new QueryCommand(search));
    await store.table.store.client.send('Query', search);
    const [expected, received] = store.received.map(({ headers, ...rest }) => {
      const { host, 'content-type': type, 'content-length': length, 'x-amz-target': target, authorization } = headers;
      return { ...rest, host, type, length, target, scope: authorization?.replace(/, .*/, '') };
    });
    expect(received).toEqual(expected);
    expect(expected).toMatchObject({ target: 'DynamoDB_20120810.Query' });
  });

  /** Returns the authorization of a request, which is not sent. */
  async function authorizationAt(endpoint: string, environment: Readonly<Record<string, string | undefined>>) {
    for (const [name, value] of Object.entries({ AWS_REGION: 'eu-central-1', ...environment })) vi.stubEnv(name, value);
    const handle = vi
      .spyOn(NodeHttpHandler.prototype, 'handle')
      .mockClear()
      .mockRejectedValue(new Error('It must not leave.'));
    await expect(readItem(createRequest(openStore({ name: 'flags', endpoint })), keys.seeded())).rejects.toThrow();
    return handle.mock.calls[0]?.[0].headers.authorization;
  }

  const local = 'http://localhost:8000';
  const aws = 'https://dynamodb.eu-central-1.amazonaws.com';

  test('is signed with the credentials of the environment for any store', async () => {
    const identity = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
    const signature = /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, /;
    expect(await authorizationAt(local, identity)).toMatch(signature);
    expect(await authorizationAt(aws, identity)).toMatch(signature);
  });

  test('is signed with fixed credentials if there are no others, except for AWS', async () => {
    const nowhere = { AWS_SHARED_CREDENTIALS_FILE: '/nonexistent', AWS_CONFIG_FILE: '/nonexistent' };
    const environment = { ...nowhere, AWS_EC2_METADATA_DISABLED: 'true', AWS_ACCESS_KEY_ID: undefined };
    expect(await authorizationAt(local, environment)).toMatch(/^AWS4-HMAC-SHA256 Credential=local\//);
    expect(await authorizationAt(aws, environment)).toBeUndefined();
  });

  test('is signed with the credentials of a profile for AWS', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'flagstaff-profile-'));
    try {
      const file = join(directory, 'credentials');
      writeFileSync(file, '[production]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = secret\n');
      const profile = { AWS_PROFILE: 'production', AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: file };
      expect(await authorizationAt(aws, { ...profile, AWS_ACCESS_KEY_ID: undefined })).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDPROFILE\//,
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("is signed with the store's time if the clock of this machine is wrong", async () => {
    const now = new Date(Date.now() + 3_600_000);
    const wrong = JSON.stringify({ __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'expired' });
    const { received, table } = await storeThat((response, count) => {
      response.setHeader('date', now.toUTCString());
      response.writeHead(count === 1 ? 400 : 200).end(count === 1 ? wrong : '{}');
    });
    await expect(readItem(table, keys.seeded())).resolves.toBeUndefined();
    const hours = received.map(({ headers }) => String(headers['x-amz-date']).slice(0, 11));
    expect(hours[1]).toBe(now.toISOString().replaceAll(/[-:]/g, '').slice(0, 11));
    expect(hours[0]).not.toBe(hours[1]);
  });

  test('is retried after a response that is not JSON, such as one of a proxy', async () => {
    const { received, table } = await storeThat((response, count) => {
      if (count < 3) response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
      else response.end(JSON.stringify({ Attributes: { value: { N: '7' } } }));
    });
    await expect(raiseCounter(table, keys.counter('event'), 1)).resolves.toBe(7);
    expect(received).toHaveLength(3);
  });

  test.each([
    ...['{"Consumed', '<html>Welcome</html>', '', 'null', '[]'].map((body) => ({ status: 200, body })),
    ...['', '{}'].map((body) => ({ status: 408, body })),
  ])('is retried with the same token after the status $status with the body "$body", and then a 503', async (bad) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    let isBad = true;
    const { received, table } = await storeThat((response, count) => {
      if (isBad || count === 1) response.writeHead(bad.status).end(bad.body);
      else response.end('{}');
    });
    const write = () =>
      transact(
        table,
        [
          { put: key, item: {} },
          { put: { ...key, sk: 'OTHER' }, item: {} },
        ],
        undefined,
      );
    await expect(write()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    expect(received).toHaveLength(6);
    received.length = 0;
    isBad = false;
    await expect(write()).resolves.not.toThrow();
    const tokens = received.map(({ body }) => (body as { readonly ClientRequestToken: string }).ClientRequestToken);
    expect(tokens).toEqual([expect.any(String), tokens[0]]);
  });

  test.each([5, null, {}])('fails with the message of the store, even if the name of its error is %j', async (name) => {
    const { received, table } = await storeThat((response) =>
      response.writeHead(400).end(JSON.stringify({ __type: name, message: 'Too odd.' })),
    );
    await expect(readItem(table, keys.seeded())).rejects.toThrow('Too odd.');
    expect(received).toHaveLength(1);
  });
});
