import { Agent, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { openSqliteStore } from '../../../infra/local/sqlite/sqlite-store.ts';
import type { StoreRequest } from './sequence/requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answers of all operations.
type Answered = any;

/** A store that is compared with others. */
export interface ComparedStore {
  readonly name: string;
  ask(request: StoreRequest): Promise<{ readonly status: number; readonly answer: Answered }>;
  close(): Promise<void>;
}

/** Opens the store that Flagstaff embeds, in memory. */
export async function openCompared(): Promise<ComparedStore> {
  const store = await openSqliteStore(undefined);
  return {
    name: 'the embedded store',
    async ask([operation, input]) {
      const { status, body } = await store.answer(operation, input);
      // An undefined property counts as missing.
      return { status, answer: JSON.parse(JSON.stringify(body)) };
    },
    close: () => store.close(),
  };
}

/**
 * A store at an address.
 * @param owner a name for the one who asks; to DynamoDB Local, each has tables of its own.
 */
export function comparedAt(name: string, endpoint: string, owner: string): ComparedStore {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-date': '20000101T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=${owner}/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
  };
  return {
    name,
    async ask([operation, input]) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const target = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
      send(endpoint, { agent, method: 'POST', headers: { ...headers, ...target } }, resolve)
        .on('error', reject)
        .end(JSON.stringify(input));
      const incoming = await promise;
      return { status: incoming.statusCode ?? 0, answer: JSON.parse(await text(incoming)) };
    },
    close: async () => agent.destroy(),
  };
}
