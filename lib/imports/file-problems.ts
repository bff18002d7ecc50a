import type { ErrorDetail } from '../errors.ts';
import { type FeatureHead, headFrom } from '../features/feature-items.ts';
import type { ExportData } from '../schemas/import-data.ts';
import { importProblems } from './import-problems.ts';
import { tagOf } from './wanted-feature.ts';

/** What is wrong with a file whatever store it goes to: everything that it names outside of itself is taken to exist. */
export function fileProblems(data: ExportData): ErrorDetail[] {
  const all = (names: readonly string[]) => new Map(names.map((name) => [name, true]));
  const parents = Map.groupBy(
    data.dependencies.flatMap(({ dependencies }) => dependencies),
    ({ feature }) => feature,
  );
  return importProblems(data, {
    project: { id: '' },
    environment: '',
    features: new Map(),
    contextFields: new Map(),
    parents: new Map([...parents.keys()].map((name) => [name, assumedParent(name)])),
    parentVariants: new Map([...parents].map(([name, list]) => [name, new Set(list.flatMap((each) => each.variants))])),
    strategyTypes: all(data.featureStrategies.map(({ name }) => name)),
    tagTypes: all((data.featureTags ?? []).map((tag) => tagOf(tag).type)),
    segments: new Map(data.segments.map(({ id, name }) => [name, { id, project: null }])),
  });
}

/** A parent that may be depended on. */
function assumedParent(name: string): FeatureHead {
  const own = {
    name,
    project: '',
    type: 'release',
    stale: false,
    impressionData: false,
    createdAt: '',
    archivedAt: null,
    dependencies: '[]',
    version: 1,
    lastEventId: 0,
    eventCount: 0,
    environments: '[]',
    parts: '[]',
  };
  return headFrom(own);
}
