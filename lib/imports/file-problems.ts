import type { ErrorDetail } from '../errors.ts';
import type { ExportData } from './import-data-schema.ts';
import { listImportProblems } from './import-problems.ts';
import { tagOf } from './wanted-feature.ts';

/**
 * Lists the problems of a file that show without a store. Everything that the file names and does not contain is assumed to
 * exist.
 */
export function listFileProblems(data: ExportData): ErrorDetail[] {
  const mapOf = (names: readonly string[]) => new Map(names.map((name) => [name, true]));
  const parents = data.dependencies.flatMap(({ dependencies }) => dependencies.map(({ feature }) => feature));
  return listImportProblems(data, {
    project: { id: '', featureNaming: null, featureLimit: null },
    counts: { live: 0, archived: 0 },
    environment: '',
    archived: new Set(),
    features: new Map(),
    contextFields: new Map(),
    hiddenFields: new Set(),
    parents: new Map(parents.map((name) => [name, assumedParent])),
    strategyTypes: mapOf(data.featureStrategies.map(({ name }) => name)),
    tagTypes: mapOf((data.featureTags ?? []).map((tag) => tagOf(tag).type)),
    segments: new Map(data.segments.map(({ id, name }) => [name, { id, project: null }])),
  });
}

/** A parent that has no parent itself. */
const assumedParent = { project: '', archivedAt: null, own: { dependencies: '[]' }, revision: { childCount: 0 } };
