import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { isWithin, type Moment, readClocks } from '../values/time.ts';

/** The time after which a process reads the store again. */
const readAgainMs = 60 * 60 * 1_000;
/** The most things that a process remembers. */
const entriesMax = 1_000;

interface Cached {
  readonly readAt: Moment;
  readonly value: Promise<unknown>;
}

const cacheOf = cachePerObject((_: Request['store']) => new BoundedMap<string, Cached>(entriesMax));

/**
 * Returns a value that a process reads from the store once an hour. If the store is unreachable, returns the previous value, or an
 * empty one.
 */
export async function loadHourly<T>(
  request: Request,
  id: string,
  load: () => Promise<T>,
  makeEmpty: () => T,
): Promise<T> {
  const cache = cacheOf(request.store);
  const cached = cache.get(id);
  if (cached !== undefined && isWithin(cached.readAt, readAgainMs)) return cached.value as Promise<T>;
  const next = { readAt: readClocks(), value: load() };
  cache.set(id, next);
  try {
    return await next.value;
  } catch (error) {
    if (cache.get(id) === next) {
      if (cached === undefined) cache.delete(id);
      else cache.set(id, cached);
    }
    if (!(error instanceof ApiError && error.name === 'ServiceUnavailable')) throw error;
    return (cached?.value as Promise<T> | undefined) ?? makeEmpty();
  }
}
