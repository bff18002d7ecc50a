import { allProjects, type TokenScope } from '../../identity/tokens/token.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { buildContent, type ShownQuery, toShownQuery, writeFeature } from '../client-features.ts';
import type { ClientFeaturesQuery } from '../client-features-schema.ts';
import { lineageOf } from '../snapshot/load-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { DeltaCache } from './delta-cache.ts';

/** The most delta caches of filtered queries. Callers choose their queries, so the number is limited. */
const cachesMax = 50;
const createCaches = (_lineage: object) => new BoundedMap<string, DeltaCache>(cachesMax);
const filteredCachesOf = cachePerObject(createCaches);
/** Delta caches of everything that a token may read, which streams and most SDKs use: other queries never displace them. */
const wholeCachesOf = cachePerObject(createCaches);

/** Finds the delta cache of a query, and moves it on to a snapshot. Polls and streams share it, so a change is compared once. */
export function findDeltaCache(snapshot: Snapshot, scope: TokenScope, query: ClientFeaturesQuery = {}): DeltaCache {
  const shown = toShownQuery(scope, { query, segmentsApart: true });
  const caches = (isWhole(scope, shown) ? wholeCachesOf : filteredCachesOf)(lineageOf(snapshot));
  const id = JSON.stringify(shown);
  const known = caches.get(id);
  const isLatest = known !== undefined && known.state.revision >= snapshot.revision;
  const cache = isLatest ? known : moveTo(snapshot, shown, known);
  // The map drops the delta cache that was set longest ago, so each use sets it again.
  caches.set(id, cache);
  return cache;
}

/** Tells whether a query asks for everything that a token may read. */
function isWhole({ projects }: TokenScope, { project, namePrefix, tag }: ShownQuery): boolean {
  const isFiltered = project !== undefined && projects.includes(allProjects);
  return !isFiltered && namePrefix === undefined && tag === undefined;
}

function moveTo(snapshot: Snapshot, query: ShownQuery, known: DeltaCache | undefined): DeltaCache {
  const { features, segments = [], hash } = buildContent(snapshot, query);
  const state = {
    revision: snapshot.revision,
    hash,
    features: new Map(
      features.map((feature) => [feature.name, { text: writeFeature(feature), project: feature.project }]),
    ),
    segments: new Map(segments.map((segment) => [segment.id, JSON.stringify(segment)])),
  };
  known?.moveOn(state);
  return known ?? new DeltaCache(state);
}
