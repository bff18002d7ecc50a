import type { ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { ask } from './client/ask.ts';
import { scan } from './client/commands.ts';
import type { Key } from './client/definition.ts';
import type { Work } from './work.ts';

/** A page of a scan, and where the next one begins. */
export interface ScannedPage<T = Key> {
  readonly items: readonly T[];
  /** Undefined at the end of the table. */
  readonly next: Key | undefined;
}

/** Which items are looked for. */
export interface ScanFilter {
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
  /** Only these attributes. */
  readonly attributes?: string;
}

/**
 * All items that a filter finds, consistently, page by page. It reads the whole table and costs as much, so it is for
 * migrations alone, which look for what an older release has listed nowhere.
 * @param start where the first page begins; undefined for the beginning of the table.
 */
export async function* scanItems<T>(
  work: Work,
  { condition, values, attributes }: ScanFilter,
  start: Key | undefined,
): AsyncGenerator<ScannedPage<T>> {
  let from = start;
  do {
    const command = scan({
      TableName: work.store.name,
      ConsistentRead: true,
      FilterExpression: condition,
      ...(attributes !== undefined && { ProjectionExpression: attributes }),
      ExpressionAttributeValues: values,
      ExclusiveStartKey: from && { pk: from.pk, sk: from.sk },
      ReturnConsumedCapacity: 'TOTAL',
    });
    const page: ScanCommandOutput = await ask([work], 'readUnits', (options) =>
      work.store.client.send(command, options),
    );
    const next = page.LastEvaluatedKey as Key | undefined;
    yield { items: (page.Items ?? []) as unknown as T[], next };
    from = next;
  } while (from !== undefined);
}

/** As `scanItems`, the keys of all items with a sort key whose partitions begin with a prefix. */
export function scanKeys(
  work: Work,
  { prefix, sk }: { readonly prefix: string; readonly sk: string },
  start: Key | undefined,
): AsyncGenerator<ScannedPage> {
  const filter = {
    condition: 'sk = :sk AND begins_with(pk, :prefix)',
    values: { ':sk': sk, ':prefix': prefix },
    attributes: 'pk, sk',
  };
  return scanItems(work, filter, start);
}
