import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { type DynamoDbServer, startDynamoDbServer } from '../../../harness/dynamodb-server.ts';
import { anyRequest, Choice, creation, type StoreRequest } from './generated-requests.ts';

let server: DynamoDbServer;
let store: SqliteStore;

beforeAll(async () => {
  server = await startDynamoDbServer({ file: undefined });
  store = await openSqliteStore(undefined);
});

afterAll(async () => {
  await store.close();
  await server.stop();
});

const headersOf = (operation: string) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${operation}`,
  'x-amz-date': '20000101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=a/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
});

type Item = { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };

const keyOf = ({ pk, sk }: Item) => JSON.stringify([pk, sk]);
const byKey = (a: Item, b: Item) => (keyOf(a) < keyOf(b) ? -1 : 1);

/** An answer as far as two stores have to agree: of a refusal the name and the reasons count, and a batch has no order. */
// biome-ignore lint/suspicious/noExplicitAny: answers of all kinds.
function comparable(status: number, answer: any): unknown {
  const { __type: type, CancellationReasons, Responses, ConsumedCapacity, TableDescription, ...rest } = answer;
  if (status !== 200) {
    const reasons = CancellationReasons?.map(({ Code }: { readonly Code: string }) => Code);
    return { name: type.split('#').at(-1), reasons };
  }
  const units = [ConsumedCapacity ?? []].flat().map(({ CapacityUnits }) => CapacityUnits);
  return { ...rest, units, found: Object.values(Responses ?? {}).map((items) => (items as Item[]).toSorted(byKey)) };
}

/** The answers of the embedded store, and of the other one. */
async function ask([operation, input]: StoreRequest): Promise<[unknown, unknown]> {
  const body = JSON.stringify(input);
  const headers = headersOf(operation);
  const own = await store.answer(operation, input);
  const other = await fetch(server.endpoint, { method: 'POST', headers, body });
  return [comparable(own.status, own.body), comparable(other.status, await other.json())];
}

test('The embedded store answers as another DynamoDB-compatible one does, units and reasons included, whatever it is asked', async () => {
  const property = fc.asyncProperty(fc.gen(), async (generate) => {
    const choice = new Choice(generate);
    await ask(['DeleteTable', { TableName: 'agreement' }]);
    await ask(creation);
    for (const request of choice.times(40, () => anyRequest(choice))) {
      const [own, other] = await ask(request);
      expect(own, JSON.stringify(request)).toEqual(other);
    }
  });
  await fc.assert(property, { numRuns: 60, endOnFailure: true });
});
