import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import type { Moment } from '../../values/time.ts';
import type { ClientFeaturesQuery } from '../client-features-schema.ts';
import { isCurrent, loadSnapshot } from '../snapshot/load-snapshot.ts';
import type { DeltaState } from './delta-cache.ts';
import { findDeltaCache } from './find-delta-cache.ts';
import { formatTag, parseTag, revisionNeeded } from './tag.ts';

/** The events that bring an SDK to the present state, and the ETag of that state. */
export interface ClientDelta {
  readonly text: string;
  readonly etag: string;
  /** True if the store could not be reached: this is the last known state. */
  readonly stale: boolean;
  /** Tells whether this is still the right response, without asking the store. */
  readonly holds: (at: Moment) => boolean;
}

/** The replies that are kept: SDKs with the same state get the same object, so that it is compressed once. Most have one of few states. */
const keptMax = 10;
const repliesOf = cachePerObject((_: DeltaState) => new BoundedMap<string, ClientDelta>(keptMax));

/**
 * Serves the changes in a token's scope since the state that an SDK names in `If-None-Match`, or everything if this process does not
 * know that state. The SDK never goes back to an earlier state.
 * @throws ApiError 503 if the store is unreachable, like `loadSnapshot`.
 */
export async function serveDelta(
  request: Request,
  scope: TokenScope,
  { query, ifNoneMatch }: { readonly query: ClientFeaturesQuery; readonly ifNoneMatch?: string | undefined },
): Promise<ClientDelta> {
  const tag = parseTag(ifNoneMatch);
  let snapshot = await loadSnapshot(request, scope);
  let cache = findDeltaCache(snapshot, scope, query);
  const needed = revisionNeeded(tag, cache.state);
  if (needed > cache.state.revision) {
    // The SDK may have a later state from another process.
    snapshot = await loadSnapshot(request, scope, needed);
    cache = findDeltaCache(snapshot, scope, query);
  }
  const { hash } = cache.state;
  const { stale } = snapshot;
  const holds = (at: Moment) => isCurrent(snapshot, at);
  if (tag?.hash === hash) return { text: '{"events":[]}', etag: tag.text, stale, holds };
  const from = cache.knows(tag?.hash) ? tag?.hash : undefined;
  const replies = repliesOf(cache.state);
  const id = `${from}:${stale}`;
  const delta = replies.get(id) ?? {
    text: `{"events":${cache.writeEventsSince(from)}}`,
    etag: `"${formatTag(cache.state)}"`,
    stale,
    holds,
  };
  replies.set(id, delta);
  return delta;
}
