import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import type { Moment } from '../../values/time.ts';
import type { ClientFeaturesQuery } from '../client-features-schema.ts';
import { isCurrent, loadSnapshot } from '../snapshot/snapshot.ts';
import { formatTag, parseTag, revisionSeen } from './tag.ts';
import type { ViewState } from './view.ts';
import { findView } from './views.ts';

/** The events that an SDK lacks, and the ETag of the state that it has with them. */
export interface ClientDelta {
  readonly text: string;
  readonly etag: string;
  /** True if the store could not be reached, so that this is the last known state. */
  readonly stale: boolean;
  /** Tells whether this is still the right response, without asking the store. */
  readonly holds: (at: Moment) => boolean;
}

/** SDKs with the same state get the same object, so that it is compressed once. Few states are so common that this pays. */
const sharedMax = 10;
const sharedOf = cachePerObject((_: ViewState) => new BoundedMap<string, ClientDelta>(sharedMax));

/**
 * Serves the changes in a token's scope since the state that an SDK names in `If-None-Match`; everything to an SDK whose state
 * this process has not seen. The SDK then has a state that is not older than the one that it had.
 * @throws ApiError 503 if the store is unreachable, like `loadSnapshot`.
 */
export async function serveDelta(
  request: Request,
  scope: TokenScope,
  { query, ifNoneMatch }: { readonly query: ClientFeaturesQuery; readonly ifNoneMatch?: string | undefined },
): Promise<ClientDelta> {
  const tag = parseTag(ifNoneMatch);
  let snapshot = await loadSnapshot(request, scope);
  let view = findView(snapshot, scope, query);
  const seen = revisionSeen(tag, view.state);
  if (seen > view.state.revision) {
    // The SDK may have a later state from another process.
    snapshot = await loadSnapshot(request, scope, seen);
    view = findView(snapshot, scope, query);
  }
  const { hash } = view.state;
  const { stale } = snapshot;
  const holds = (at: Moment) => isCurrent(snapshot, at);
  if (tag?.hash === hash) return { text: '{"events":[]}', etag: tag.text, stale, holds };
  const from = view.knows(tag?.hash) ? tag?.hash : undefined;
  const shared = sharedOf(view.state);
  const id = `${from}:${stale}`;
  const delta = shared.get(id) ?? {
    text: `{"events":${view.writeEventsSince(from)}}`,
    etag: `"${formatTag(view.state)}"`,
    stale,
    holds,
  };
  shared.set(id, delta);
  return delta;
}
