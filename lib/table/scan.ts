import type { ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { ask } from './ask.ts';
import { scan } from './commands.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** A page of a scan, and where the next one begins. */
export interface ScannedPage {
  readonly keys: readonly Key[];
  /** Undefined at the end of the table. */
  readonly next: Key | undefined;
}

/**
 * The keys of all items with a sort key whose partitions begin with a prefix, consistently, page by page. It reads the
 * whole table and costs as much, so it is for migrations alone, which look for what an older release has listed nowhere.
 * @param start where the first page begins; undefined for the beginning of the table.
 */
export async function* scanKeys(
  table: Table,
  { prefix, sk }: { readonly prefix: string; readonly sk: string },
  start: Key | undefined,
): AsyncGenerator<ScannedPage> {
  let from = start;
  do {
    const command = scan({
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: 'sk = :sk AND begins_with(pk, :prefix)',
      ProjectionExpression: 'pk, sk',
      ExpressionAttributeValues: { ':sk': sk, ':prefix': prefix },
      ExclusiveStartKey: from && { pk: from.pk, sk: from.sk },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const page: ScanCommandOutput = await ask([table], 'readUnits', (options) => table.client.send(command, options));
    const next = page.LastEvaluatedKey as Key | undefined;
    yield { keys: (page.Items ?? []) as unknown as Key[], next };
    from = next;
  } while (from !== undefined);
}
