import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import * as keys from '../../store/keys.ts';
import * as partitions from '../../store/partitions.ts';
import { queryAll } from '../../store/read.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';

type Id = string | number;

/** The things of a kind that came from a server, by the versions that they had when a migration last wrote them. */
export interface Arrivals {
  has(id: Id): boolean;
  /** True for one that has not been changed here since it came. */
  isAsItCame(id: Id, thing: Versioned<unknown>): boolean;
  /** Returns the write that goes with a thing that a migration writes. */
  noted(id: Id, version: number): Write;
}

/** An item that says which version came. */
interface Arrival {
  readonly version: number;
}

export async function loadArrivals(request: Request, from: string, kind: string): Promise<Arrivals> {
  const items = await queryAll<Key & Arrival>(request, partitions.arrivals(from, kind));
  const versions = new Map(items.map(({ sk, version }) => [sk, version]));
  const versionOf = (id: Id) => versions.get(keys.migratedThing(from, kind, id).sk);
  return {
    has: (id) => versionOf(id) !== undefined,
    isAsItCame: (id, { version }) => versionOf(id) === version,
    noted: (id, version) => ({ put: keys.migratedThing(from, kind, id), item: { version } }),
  };
}
