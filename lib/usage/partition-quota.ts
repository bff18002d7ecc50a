import type { Request } from '../request.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { isUnexpired } from '../values/time.ts';
import { loadHourly } from './hourly-cache.ts';

/** The sort key of an item, and its group in the partition, such as the application of an unknown flag. */
interface GroupedItem {
  readonly sk: string;
  readonly group?: string;
}

/**
 * Limits the number of items of a partition. It knows the items at the last read of this process, and those that the
 * process has added since. Concurrent processes can exceed a limit by the items that they add between two reads.
 */
export class PartitionQuota {
  readonly #keys = new Set<string>();
  readonly #sizes = new Map<string, number>();

  /** Adds an item if there is room in the partition and in its group. @returns true if it was added or exists already. */
  tryAdd({ sk, group = '' }: GroupedItem, max: number, groupMax = max): boolean {
    if (this.#keys.has(sk)) return true;
    if (this.#keys.size >= max || (this.#sizes.get(group) ?? 0) >= groupMax) return false;
    this.add({ sk, group });
    return true;
  }

  /** Adds an existing item, whether or not there is room. */
  add({ sk, group = '' }: GroupedItem): void {
    this.#keys.add(sk);
    this.#sizes.set(group, (this.#sizes.get(group) ?? 0) + 1);
  }
}

/**
 * Returns the quota of a partition, which is read again once an hour. If the store is unreachable, returns the previous quota, or an
 * empty one.
 */
export function loadQuota(
  request: Request,
  partition: Partition,
  groupOf: (sk: string) => string = () => '',
): Promise<PartitionQuota> {
  const id = `${partition.pk}\n${partition.prefix ?? ''}`;
  return loadHourly(
    request,
    id,
    () => loadItems(request, partition, groupOf),
    () => new PartitionQuota(),
  );
}

async function loadItems(
  request: Request,
  partition: Partition,
  groupOf: (sk: string) => string,
): Promise<PartitionQuota> {
  const items = await queryAll<Key & { expiresAtSeconds?: number }>(request, partition, {
    attributes: ['sk', 'expiresAtSeconds'],
  });
  const quota = new PartitionQuota();
  for (const { sk } of items.filter(isUnexpired)) quota.add({ sk, group: groupOf(sk) });
  return quota;
}
