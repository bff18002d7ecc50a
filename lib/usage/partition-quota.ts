import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { isUnexpired, isWithin, type Moment, readClocks } from '../values/time.ts';

/** The time after which a process reads a partition again. */
const readAgainMs = 60 * 60 * 1_000;
/** The most partitions that a process remembers. */
const quotasMax = 1_000;

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

interface CachedQuota {
  readonly readAt: Moment;
  readonly quota: Promise<PartitionQuota>;
}

const cacheOf = cachePerObject((_: Request['store']) => new BoundedMap<string, CachedQuota>(quotasMax));

/**
 * Returns the quota of a partition, which is read again once an hour. If the store is unreachable, returns the previous quota, or an
 * empty one.
 */
export async function loadQuota(
  request: Request,
  partition: Partition,
  groupOf: (sk: string) => string = () => '',
): Promise<PartitionQuota> {
  const cache = cacheOf(request.store);
  const id = `${partition.pk}\n${partition.prefix ?? ''}`;
  const cached = cache.get(id);
  if (cached !== undefined && isWithin(cached.readAt, readAgainMs)) return cached.quota;
  const next: CachedQuota = { readAt: readClocks(), quota: loadItems(request, partition, groupOf) };
  cache.set(id, next);
  try {
    return await next.quota;
  } catch (error) {
    if (cache.get(id) === next) {
      if (cached === undefined) cache.delete(id);
      else cache.set(id, cached);
    }
    if (!(error instanceof ApiError && error.name === 'ServiceUnavailable')) throw error;
    return cached?.quota ?? new PartitionQuota();
  }
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
