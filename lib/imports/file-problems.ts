import type { ErrorDetail } from '../errors.ts';
import type { ExportData } from '../schemas/import-data.ts';
import { importProblems } from './import-problems.ts';
import { tagOf } from './wanted-feature.ts';

/** What is wrong with a file whatever store it goes to: everything that it names outside of itself is taken to exist. */
export function fileProblems(data: ExportData): ErrorDetail[] {
  const all = (names: readonly string[]) => new Map(names.map((name) => [name, true]));
  return importProblems(data, {
    project: { id: '' },
    features: new Map(),
    contextFields: new Map(),
    parents: all(data.dependencies.flatMap(({ dependencies }) => dependencies.map(({ feature }) => feature))),
    strategyTypes: all(data.featureStrategies.map(({ name }) => name)),
    tagTypes: all((data.featureTags ?? []).map((tag) => tagOf(tag).type)),
    segments: new Map(data.segments.map(({ id, name }) => [name, { id, project: null }])),
  });
}
