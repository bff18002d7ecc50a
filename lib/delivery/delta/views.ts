import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { buildContent, type ShownQuery, writeFeature } from '../client-features.ts';
import { lineageOf, type Snapshot } from '../snapshot/snapshot.ts';
import { View } from './view.ts';

/** Callers choose their queries, so the number of views is limited. */
const viewsMax = 50;
const viewsOf = cachePerObject((_lineage: object) => new BoundedMap<string, View>(viewsMax));

/** Finds the view of a query, and moves it on to a snapshot. Polls and streams share it, so a change is compared once. */
export function findView(snapshot: Snapshot, query: ShownQuery): View {
  const views = viewsOf(lineageOf(snapshot));
  const id = JSON.stringify(query);
  const known = views.get(id);
  const isLatest = known !== undefined && known.state.revision >= snapshot.revision;
  const view = isLatest ? known : moveTo(snapshot, query, known);
  // Moves the view to the end of the map, so that the view that was used last is dropped last.
  views.set(id, view);
  return view;
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
  known?.take(state);
  return known ?? new View(state);
}
