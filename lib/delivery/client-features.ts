import { notFound } from '../errors.ts';
import type { DeliveredFeature, DeliveredStrategy } from '../features/items/delivered-feature.ts';
import { allProjects, type TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { sha256 } from '../values/sha256.ts';
import type { Moment } from '../values/time.ts';
import type { ClientFeaturesQuery } from './client-features-schema.ts';
import { type FeaturesEtag, formatEtag, parseEtags } from './features-etag.ts';
import { isCurrent, loadSnapshot } from './snapshot/load-snapshot.ts';
import type { DeliveredSegment, Snapshot } from './snapshot/snapshot.ts';

/** The response to an SDK: its JSON, which stays the same string until something changes, and its ETag. */
export interface ClientFeatures {
  readonly text: string;
  readonly etag: string;
  /** True if the store could not be reached, so that this is the last known state. */
  readonly stale: boolean;
  /** Tells whether this is still the right response, without asking the store. */
  readonly holds: (at: Moment) => boolean;
}

/** The query of an SDK, and the form in which it gets segments. */
export interface FeaturesQuery {
  readonly query: ClientFeaturesQuery;
  /** True if strategies refer to segments by id; otherwise the constraints of segments are inlined. */
  readonly segmentsApart: boolean;
  /** The header `If-None-Match`: the ETags that the SDK has. */
  readonly ifNoneMatch?: string | undefined;
}

/** A response with the parts of its ETag. */
interface Answer extends ClientFeatures {
  readonly parts: FeaturesEtag;
}

/** The features and segments that an SDK gets. */
export interface ClientContent {
  readonly features: readonly DeliveredFeature[];
  /** The segments that the features use, in the order of their ids; undefined where strategies have their constraints. */
  readonly segments: readonly DeliveredSegment[] | undefined;
  /** The features and segments as members of a JSON object, without its braces. */
  readonly text: string;
  /** A hash of the text: 16 characters, so that different contents do not collide. */
  readonly hash: string;
}

/** Callers choose their queries, so the number of cached responses is limited. */
const answersMax = 50;
const answersOf = cachePerObject((_: Snapshot) => new BoundedMap<string, Answer>(answersMax));

/**
 * Serves the features of a token's scope. Equal queries get the same bytes from every process, and a cached response until
 * something changes. If the SDK has an ETag of the same query and content, the response has that ETag. Otherwise the features are not
 * older than those that the SDK has.
 * @throws ApiError 503 if the store is unreachable, like `loadSnapshot`.
 */
export async function serveFeatures(
  request: Request,
  scope: TokenScope,
  featuresQuery: FeaturesQuery,
): Promise<ClientFeatures> {
  const query = toShownQuery(scope, featuresQuery);
  const current = buildAnswer(await loadSnapshot(request, scope), query);
  const etags = parseEtags(featuresQuery.ifNoneMatch).filter(({ queryHash }) => queryHash === current.parts.queryHash);
  const others = etags.filter(({ contentHash }) => contentHash !== current.parts.contentHash);
  // The SDK may have a later state from another process.
  const seen = Math.max(0, ...others.map(({ revision }) => revision));
  const isBehind = seen > current.parts.revision;
  const answer = isBehind ? buildAnswer(await loadSnapshot(request, scope, seen), query) : current;
  const same = etags.find(({ contentHash }) => contentHash === answer.parts.contentHash);
  return same === undefined ? answer : { ...answer, etag: formatEtag(same) };
}

/**
 * Serves one feature of a token's scope.
 * @throws ApiError 404 if the feature does not exist, or the token may not read it.
 */
export async function serveFeature(
  request: Request,
  scope: TokenScope,
  name: string,
  { segmentsApart }: Pick<FeaturesQuery, 'segmentsApart'>,
): Promise<DeliveredFeature> {
  const snapshot = await loadSnapshot(request, scope);
  const feature = snapshot.features.find((candidate) => candidate.name === name);
  if (feature === undefined) throw notFound('feature', name);
  return segmentsApart ? feature : inlineSegments(feature, snapshot);
}

/** Returns the query as the response shows it. The projects of a token take precedence over those of the query. */
export function toShownQuery(
  { projects, environment }: TokenScope,
  { query: { project, namePrefix, tag }, segmentsApart }: FeaturesQuery,
) {
  const shownProjects = projects.includes(allProjects) ? project : projects;
  return {
    ...(shownProjects !== undefined && { project: shownProjects.toSorted() }),
    ...(namePrefix !== undefined && { namePrefix }),
    ...(tag !== undefined && { tag }),
    environment,
    inlineSegmentConstraints: !segmentsApart,
  };
}

/** A query as responses show it. */
export type ShownQuery = ReturnType<typeof toShownQuery>;

function buildAnswer(snapshot: Snapshot, query: ShownQuery): Answer {
  const answers = answersOf(snapshot);
  const queryText = JSON.stringify(query);
  const cached = answers.get(queryText);
  if (cached !== undefined) return cached;
  const content = buildContent(snapshot, query);
  const parts = { queryHash: sha256(queryText).slice(0, 8), revision: snapshot.revision, contentHash: content.hash };
  const etag = formatEtag(parts);
  const metadata = JSON.stringify({ query, meta: { revisionId: parts.revision, etag, queryHash: parts.queryHash } });
  const answer = {
    text: `{"version":2,${content.text},${metadata.slice(1)}`,
    etag,
    parts,
    stale: snapshot.stale,
    holds: (at: Moment) => isCurrent(snapshot, at),
  };
  answers.set(queryText, answer);
  return answer;
}

/** Builds the features and segments that match a query. Callers keep what they make of it: its text takes much memory. */
export function buildContent(snapshot: Snapshot, query: ShownQuery): ClientContent {
  const matching = snapshot.features.filter((feature) => matchesQuery(feature, query, snapshot));
  const isInline = query.inlineSegmentConstraints;
  const features = isInline ? matching.map((feature) => inlineSegments(feature, snapshot)) : matching;
  const segments = isInline ? undefined : listUsedSegments(matching, snapshot);
  const segmentsText = segments === undefined ? '' : `,"segments":${JSON.stringify(segments)}`;
  const text = `"features":[${features.map(writeFeature).join(',')}]${segmentsText}`;
  return { features, segments, text, hash: sha256(text, 'base64url').slice(0, 16) };
}

/** Returns the JSON of a feature, which is cached with the feature. */
export const writeFeature = cachePerObject((feature: DeliveredFeature) => JSON.stringify(feature));

function matchesQuery(
  { name, project }: DeliveredFeature,
  { project: projects, namePrefix = '', tag: wantedTags }: ShownQuery,
  { byName }: Snapshot,
): boolean {
  if (projects !== undefined && !projects.includes(project)) return false;
  if (!name.startsWith(namePrefix)) return false;
  const tags = byName.get(name)?.feature.tags ?? [];
  return (
    wantedTags === undefined ||
    wantedTags.some(([type, value]) => tags.some((tag) => tag.type === type && tag.value === value))
  );
}

/** Lists the segments that features use, in the order of their ids. */
function listUsedSegments(features: readonly DeliveredFeature[], { segments }: Snapshot) {
  const used = new Set(features.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])));
  return [...used]
    .toSorted((a, b) => a - b)
    .flatMap((id) => {
      const segment = segments.get(id);
      return segment === undefined ? [] : [{ id, name: segment.name, constraints: segment.constraints }];
    });
}

/** Constraints that no context satisfies, in place of a missing segment. */
const unsatisfiable: DeliveredStrategy['constraints'] = [{ contextName: 'userId', operator: 'IN', values: [] }];

/** Inlines segments for SDKs that do not know them: their constraints follow those of the strategy. */
function inlineSegments(feature: DeliveredFeature, { segments }: Snapshot): DeliveredFeature {
  if (feature.strategies.every((strategy) => strategy.segments === undefined)) return feature;
  const strategies = feature.strategies.map(({ segments: ids = [], ...strategy }): DeliveredStrategy => {
    const constraints = ids.flatMap((id) => segments.get(id)?.constraints ?? unsatisfiable);
    return { ...strategy, constraints: [...strategy.constraints, ...constraints] };
  });
  return { ...feature, strategies };
}

/** The first version of the client specification with segments. */
const segmentsVersion = [4, 2] as const;

/** Tells by its `Unleash-Client-Spec` header whether an SDK knows segments. Without a valid version it does not. */
export function knowsSegments(clientSpec: string | undefined): boolean {
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})\.\d/.exec(clientSpec ?? '') ?? [];
  if (major === undefined) return false;
  const [firstMajor, firstMinor] = segmentsVersion;
  return Number(major) > firstMajor || (Number(major) === firstMajor && Number(minor) >= firstMinor);
}
