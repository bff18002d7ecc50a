import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import type { Moment } from '../../values/time.ts';
import { buildContent, type ShownQuery, toShownQuery, writeFeature } from '../client-features.ts';
import type { ClientFeaturesQuery } from '../client-features-schema.ts';
import { isCurrent, lineageOf, loadSnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { View, type ViewState } from './view.ts';

/** The events that an SDK lacks, and the ETag of the state that it has with them. */
export interface ClientDelta {
  readonly text: string;
  readonly etag: string;
  /** True if the store could not be reached, so that this is the last known state. */
  readonly stale: boolean;
  /** Tells whether this is still the right response, without asking the store. */
  readonly holds: (at: Moment) => boolean;
}

/** A state that an SDK says it has. */
interface Tag {
  readonly revision: number;
  readonly hash: string;
  /** The tag as the SDK wrote it: Unleash Edge leaves out the quotes. */
  readonly text: string;
}

const tagPattern = /^(?:W\/)?"?(?<revision>0|[1-9]\d{0,14}):(?<hash>[\w-]{16})"?$/;

/** Callers choose their queries, so the number of views is limited. */
const viewsMax = 50;
const viewsOf = cachePerObject((_lineage: object) => new BoundedMap<string, View>(viewsMax));

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
  const shown = toShownQuery(scope, { query, segmentsApart: true });
  const tag = parseTag(ifNoneMatch);
  let snapshot = await loadSnapshot(request, scope);
  let view = viewOf(snapshot, shown);
  if (tag !== undefined && tag.hash !== view.state.hash && tag.revision > view.state.revision) {
    // The SDK may have a later state from another process.
    snapshot = await loadSnapshot(request, scope, tag.revision);
    view = viewOf(snapshot, shown);
  }
  const { revision, hash } = view.state;
  const { stale } = snapshot;
  const holds = (at: Moment) => isCurrent(snapshot, at);
  if (tag?.hash === hash) return { text: '{"events":[]}', etag: tag.text, stale, holds };
  const from = view.knows(tag?.hash) ? tag?.hash : undefined;
  const shared = sharedOf(view.state);
  const id = `${from}:${stale}`;
  const delta = shared.get(id) ?? {
    text: `{"events":${view.writeEventsSince(from)}}`,
    etag: `"${revision}:${hash}"`,
    stale,
    holds,
  };
  shared.set(id, delta);
  return delta;
}

function parseTag(ifNoneMatch = ''): Tag | undefined {
  const text = ifNoneMatch.trim();
  const { revision, hash = '' } = tagPattern.exec(text)?.groups ?? {};
  return revision === undefined ? undefined : { revision: Number(revision), hash, text };
}

/** Finds the view of a query, and moves it on to a snapshot. */
function viewOf(snapshot: Snapshot, query: ShownQuery): View {
  const views = viewsOf(lineageOf(snapshot));
  const id = JSON.stringify(query);
  const known = views.get(id);
  if (known !== undefined && known.state.revision >= snapshot.revision) return known;
  const { features, segments = [], hash } = buildContent(snapshot, query);
  const state = {
    revision: snapshot.revision,
    hash,
    features: new Map(
      features.map((feature) => [feature.name, { text: writeFeature(feature), project: feature.project }]),
    ),
    segments: new Map(segments.map((segment) => [segment.id, JSON.stringify(segment)])),
  };
  const view = known ?? new View(state);
  view.take(state);
  views.set(id, view);
  return view;
}
