import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { isUnexpired, isWithin, type Moment, readClocks } from '../values/time.ts';

/** The milliseconds for which a process relies on what it has read of a partition. */
const readAgainMs = 60 * 60 * 1_000;
/** The most partitions that a process remembers. */
const quotasMax = 1_000;

/** An item, and which of the partition's groups it belongs to. */
interface Place {
  readonly sk: string;
  readonly group?: string;
}

/**
 * Names of the items of a partition of which there may be only so many: those that were there when this process last looked,
 * and those that it has let in since. Processes at the same moment may pass a limit by what they let in meanwhile.
 */
export class PartitionQuota {
  readonly #names = new Set<string>();
  readonly #sizes = new Map<string, number>();

  /**
   * Tells whether an item is there, or there is room for it in the partition and in its group. It takes that room then.
   */
  admits({ sk, group = '' }: Place, max: number, groupMax = max): boolean {
    if (this.#names.has(sk)) return true;
    if (this.#names.size >= max || (this.#sizes.get(group) ?? 0) >= groupMax) return false;
    this.add({ sk, group });
    return true;
  }

  /** Takes in what is there, whether or not there is room. */
  add({ sk, group = '' }: Place): void {
    this.#names.add(sk);
    this.#sizes.set(group, (this.#sizes.get(group) ?? 0) + 1);
  }
}

interface Known {
  readonly readAt: Moment;
  readonly quota: Promise<PartitionQuota>;
}

const memoryOf = cachePerObject((_: Request['store']) => new BoundedMap<string, Known>(quotasMax));

/** The quota of a partition, read again once an hour; the last one, or an empty one, while the store is out of reach. */
export async function loadQuota(
  request: Request,
  partition: Partition,
  groupOf: (sk: string) => string = () => '',
): Promise<PartitionQuota> {
  const memory = memoryOf(request.store);
  const id = `${partition.pk}\n${partition.prefix ?? ''}`;
  const known = memory.get(id);
  if (known !== undefined && isWithin(known.readAt, readAgainMs)) return known.quota;
  const next: Known = { readAt: readClocks(), quota: readQuota(request, partition, groupOf) };
  memory.set(id, next);
  try {
    return await next.quota;
  } catch (error) {
    if (memory.get(id) === next) {
      if (known === undefined) memory.delete(id);
      else memory.set(id, known);
    }
    if (!(error instanceof ApiError && error.name === 'ServiceUnavailable')) throw error;
    return known?.quota ?? new PartitionQuota();
  }
}

async function readQuota(
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
