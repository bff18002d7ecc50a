import { onTestFinished } from 'vitest';
import type { Request } from '../../lib/request.ts';
import { startDynamoDbServer } from './dynamodb-server.ts';
import { freshTable } from './table.ts';

/** A new, empty table on a DynamoDB-compatible server, for what the embedded store has not: the administration of tables. */
export async function dynamoDbTable(): Promise<Request> {
  const server = await startDynamoDbServer({ file: undefined });
  onTestFinished(() => server.stop());
  return freshTable(server.endpoint);
}
