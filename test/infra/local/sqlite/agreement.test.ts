import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DynamoDbServer, startDynamoDbServer } from '../../../harness/dynamodb-server.ts';
import { compareSequence, renew } from '../../../prove/stores/compare.ts';
import { type ComparedStore, comparedAt, openCompared } from '../../../prove/stores/compared-store.ts';
import { dynoxide } from '../../../prove/stores/reference-errors.ts';
import { Choice } from '../../../prove/stores/sequence/choice.ts';
import { atLimits } from '../../../prove/stores/sequence/limits.ts';
import { mistakes } from '../../../prove/stores/sequence/mistakes.ts';
import { requestSequence, type StoreRequest } from '../../../prove/stores/sequence/requests.ts';

let server: DynamoDbServer;
let stores: readonly [ComparedStore, ComparedStore];

beforeAll(async () => {
  server = await startDynamoDbServer({ file: undefined });
  stores = [await openCompared(), comparedAt(dynoxide, server.endpoint, 'agreement')];
  await Promise.all(stores.map(renew));
});

afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await server.stop();
});

/** Sends random sequences of requests to both stores, and compares the answers. */
async function compare(numRuns: number, sequence: (choice: Choice) => readonly StoreRequest[]): Promise<void> {
  const property = fc.asyncProperty(fc.gen(), async (generate) => {
    const [own, other] = stores;
    const { differences } = await compareSequence(sequence(new Choice(generate)), own, [other]);
    expect(differences).toEqual([]);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}

test('The embedded store gives the same answers as another DynamoDB-compatible store, with capacity units and reasons of cancellations', async () => {
  // `npm run prove:stores` compares many more sequences.
  await compare(25, requestSequence);
});

test('Both stores have the same limits, and refuse the same mistakes', async () => {
  const sequences = [...atLimits, ...mistakes.map((make) => (choice: Choice) => [make(choice)])];
  for (const sequence of sequences) await compare(2, sequence);
});
