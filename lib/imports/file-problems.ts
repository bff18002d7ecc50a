import type { ErrorDetail } from '../errors.ts';
import type { ExportData } from './import-data-schema.ts';
import { importProblems } from './import-problems.ts';
import { tagOf } from './wanted-feature.ts';

/**
 * Lists the problems of a file that do not depend on a store: everything that it names outside of itself is taken to
 * exist.
 */
export function fileProblems(data: ExportData): ErrorDetail[] {
  const all = (names: readonly string[]) => new Map(names.map((name) => [name, true]));
  const parents = data.dependencies.flatMap(({ dependencies }) => dependencies.map(({ feature }) => feature));
  return importProblems(data, {
    project: { id: '', featureNaming: null, featureLimit: null },
    counts: { live: 0, archived: 0 },
    environment: '',
    archived: new Set(),
    features: new Map(),
    contextFields: new Map(),
    hiddenFields: new Set(),
    parents: new Map(parents.map((name) => [name, assumedParent])),
    strategyTypes: all(data.featureStrategies.map(({ name }) => name)),
    tagTypes: all((data.featureTags ?? []).map((tag) => tagOf(tag).type)),
    segments: new Map(data.segments.map(({ id, name }) => [name, { id, project: null }])),
  });
}

/** A parent that may be depended on. */
const assumedParent = { project: '', archivedAt: null, own: { dependencies: '[]' }, revision: { childCount: 0 } };
