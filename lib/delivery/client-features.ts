import { notFound } from '../errors.ts';
import type { DeliveredFeature, DeliveredStrategy } from '../features/items/delivered-feature.ts';
import { allProjects, type TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { BoundedMap, onceFor } from '../values/memory.ts';
import type { Moment } from '../values/moment.ts';
import { sha256 } from '../values/sha256.ts';
import type { ClientFeaturesQuery } from './client-features-schema.ts';
import { etagsIn, type FeaturesEtag, textOfEtag } from './features-etag.ts';
import { isPresent, type Snapshot, snapshotOf } from './snapshot/snapshot.ts';

/** The answer to an SDK: the JSON, which is the same object for as long as nothing changes, and its ETag. */
export interface ClientFeatures {
  readonly text: string;
  readonly etag: string;
  /** True if the store could not be reached, so that this is its last known state. */
  readonly stale: boolean;
  /** Tells whether it is still the right answer, without asking the store. */
  readonly holds: (at: Moment) => boolean;
}

/** The wanted features, and the form of their segments. */
interface Asked {
  readonly query: ClientFeaturesQuery;
  /**
   * True if strategies name their segments by id; otherwise they have the constraints of their segments as their own.
   */
  readonly segmentsApart: boolean;
  /** The ETags of `If-None-Match`, of what the SDK has already. */
  readonly known?: string | undefined;
}

/** An answer with the parts of its ETag. */
interface Answer extends ClientFeatures {
  readonly parts: FeaturesEtag;
}

/** Queries are the callers' choice, so that an endless number of them must not be kept. */
const answersMax = 50;
const answersOf = onceFor((_: Snapshot) => new BoundedMap<string, Answer>(answersMax));

/**
 * The features of a token's scope, as all SDKs read them. The same question has the same bytes in every process, and as
 * long as nothing has changed it costs nothing but looking them up. The ETag is the one that the SDK has already, where it
 * is of the same query and content; otherwise the features are not older than those that it has.
 * @throws ApiError 503 where the store is out of reach, as `snapshotOf` does.
 */
export async function serveFeatures(request: Request, scope: TokenScope, asked: Asked): Promise<ClientFeatures> {
  const query = queryShown(scope, asked);
  const present = answerTo(await snapshotOf(request, scope), query);
  const etags = etagsIn(asked.known).filter(({ queryHash }) => queryHash === present.parts.queryHash);
  const others = etags.filter(({ contentHash }) => contentHash !== present.parts.contentHash);
  // Another process may have answered with a later state, which the SDK then has.
  const seen = Math.max(0, ...others.map(({ revision }) => revision));
  const isBehind = seen > present.parts.revision;
  const answer = isBehind ? answerTo(await snapshotOf(request, scope, seen), query) : present;
  const same = etags.find(({ contentHash }) => contentHash === answer.parts.contentHash);
  return same === undefined ? answer : { ...answer, etag: textOfEtag(same) };
}

/**
 * One feature of a token's scope.
 * @throws ApiError 404 where the token may not read it, or nothing has this name.
 */
export async function serveFeature(
  request: Request,
  scope: TokenScope,
  name: string,
  { segmentsApart }: Pick<Asked, 'segmentsApart'>,
): Promise<DeliveredFeature> {
  const snapshot = await snapshotOf(request, scope);
  const feature = snapshot.features.find((each) => each.name === name);
  if (feature === undefined) throw notFound('feature', name);
  return segmentsApart ? feature : withConstraintsOfSegments(feature, snapshot);
}

/** Returns the query as the answer shows it: the projects of a token take precedence over those of the query. */
function queryShown(
  { projects, environment }: TokenScope,
  { query: { project, namePrefix, tag }, segmentsApart }: Asked,
) {
  const asked = projects.includes(allProjects) ? project : projects;
  return {
    ...(asked !== undefined && { project: asked.toSorted() }),
    ...(namePrefix !== undefined && { namePrefix }),
    ...(tag !== undefined && { tag }),
    environment,
    inlineSegmentConstraints: !segmentsApart,
  };
}

function answerTo(snapshot: Snapshot, query: ReturnType<typeof queryShown>): Answer {
  const answers = answersOf(snapshot);
  const question = JSON.stringify(query);
  const known = answers.get(question);
  if (known !== undefined) return known;
  const { inlineSegmentConstraints } = query;
  const chosen = snapshot.features.filter((feature) => isAskedFor(feature, query, snapshot));
  const sent = inlineSegmentConstraints
    ? chosen.map((feature) => withConstraintsOfSegments(feature, snapshot))
    : chosen;
  const segments = inlineSegmentConstraints ? '' : `,"segments":${JSON.stringify(segmentsOf(chosen, snapshot))}`;
  const content = `"features":[${sent.map(textOf).join(',')}]${segments}`;
  const parts = {
    queryHash: sha256(question).slice(0, 8),
    revision: snapshot.revision,
    contentHash: sha256(content, 'base64url').slice(0, 16),
  };
  const etag = textOfEtag(parts);
  const about = JSON.stringify({ query, meta: { revisionId: parts.revision, etag, queryHash: parts.queryHash } });
  const answer = {
    text: `{"version":2,${content},${about.slice(1)}`,
    etag,
    parts,
    stale: snapshot.stale,
    holds: (at: Moment) => isPresent(snapshot, at),
  };
  answers.set(question, answer);
  return answer;
}

/** The JSON of a feature, which is made once for as long as it does not change. */
const textOf = onceFor((feature: DeliveredFeature) => JSON.stringify(feature));

function isAskedFor(
  { name, project }: DeliveredFeature,
  { project: projects, namePrefix = '', tag: wanted }: ReturnType<typeof queryShown>,
  { shelved }: Snapshot,
): boolean {
  if (projects !== undefined && !projects.includes(project)) return false;
  if (!name.startsWith(namePrefix)) return false;
  const own = shelved.get(name)?.feature.tags ?? [];
  return (
    wanted === undefined || wanted.some(([type, value]) => own.some((tag) => tag.type === type && tag.value === value))
  );
}

/** The segments that the features use, by their ids. */
function segmentsOf(features: readonly DeliveredFeature[], { segments }: Snapshot) {
  const used = new Set(features.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])));
  return [...used]
    .toSorted((a, b) => a - b)
    .flatMap((id) => {
      const segment = segments.get(id);
      return segment === undefined ? [] : [{ id, name: segment.name, constraints: segment.constraints }];
    });
}

/** Constraints that no context satisfies, in the place of a segment that does not exist. */
const unsatisfiable: DeliveredStrategy['constraints'] = [{ contextName: 'userId', operator: 'IN', values: [] }];

/** Returns a feature for SDKs that do not know segments: their constraints follow those of the strategy. */
function withConstraintsOfSegments(feature: DeliveredFeature, { segments }: Snapshot): DeliveredFeature {
  if (feature.strategies.every((strategy) => strategy.segments === undefined)) return feature;
  const strategies = feature.strategies.map(({ segments: ids = [], ...strategy }): DeliveredStrategy => {
    const constraints = ids.flatMap((id) => segments.get(id)?.constraints ?? unsatisfiable);
    return { ...strategy, constraints: [...strategy.constraints, ...constraints] };
  });
  return { ...feature, strategies };
}
