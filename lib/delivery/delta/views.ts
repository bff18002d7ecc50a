import { allProjects, type TokenScope } from '../../identity/tokens/token.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { buildContent, type ShownQuery, toShownQuery, writeFeature } from '../client-features.ts';
import type { ClientFeaturesQuery } from '../client-features-schema.ts';
import { lineageOf, type Snapshot } from '../snapshot/snapshot.ts';
import { View } from './view.ts';

/** Callers choose their queries, so the number of views is limited. */
const viewsMax = 50;
const createViews = (_lineage: object) => new BoundedMap<string, View>(viewsMax);
const filteredViewsOf = cachePerObject(createViews);
/** Views of everything that a token may read, which streams and most SDKs use: no number of other queries can drop them. */
const wholeViewsOf = cachePerObject(createViews);

/** Finds the view of a query, and moves it on to a snapshot. Polls and streams share it, so a change is compared once. */
export function findView(snapshot: Snapshot, scope: TokenScope, query: ClientFeaturesQuery = {}): View {
  const shown = toShownQuery(scope, { query, segmentsApart: true });
  const views = (isWhole(scope, shown) ? wholeViewsOf : filteredViewsOf)(lineageOf(snapshot));
  const id = JSON.stringify(shown);
  const known = views.get(id);
  const isLatest = known !== undefined && known.state.revision >= snapshot.revision;
  const view = isLatest ? known : moveTo(snapshot, shown, known);
  // The map drops the view that was set longest ago, so each use sets it again.
  views.set(id, view);
  return view;
}

/** Tells whether a query asks for everything that a token may read. */
function isWhole({ projects }: TokenScope, { project, namePrefix, tag }: ShownQuery): boolean {
  const isFiltered = project !== undefined && projects.includes(allProjects);
  return !isFiltered && namePrefix === undefined && tag === undefined;
}

function moveTo(snapshot: Snapshot, query: ShownQuery, known: View | undefined): View {
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
  return known ?? new View(state);
}
