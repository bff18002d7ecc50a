import { type ContextField, contextFields } from '../context-fields/context-fields.ts';
import type { Pointer } from '../entity/entity.ts';
import type { FeatureItem, StoredFeature } from '../features/feature-items.ts';
import { loadFeatureIn } from '../features/feature-store.ts';
import { loadDefaultStrategy } from '../projects/default-strategy.ts';
import type { Project } from '../projects/projects.ts';
import { loadProject } from '../projects/projects.ts';
import type { ImportData } from '../schemas/import-data.ts';
import type { StrategyInput } from '../schemas/strategy.ts';
import type { Tag } from '../schemas/tag.ts';
import { segments } from '../segments/segments.ts';
import { strategyTypes } from '../strategies/strategy-types.ts';
import { type Key, keys } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { tagTypes } from '../tags/tag-types.ts';
import { tagOf } from './wanted-feature.ts';

/** What the store holds of all that a file names. */
export interface ImportReferences {
  readonly project: Project;
  readonly defaultStrategy: StrategyInput | undefined;
  readonly features: ReadonlyMap<string, StoredFeature>;
  /** Parents that the file does not bring along. */
  readonly parents: ReadonlyMap<string, unknown>;
  readonly strategyTypes: ReadonlyMap<string, unknown>;
  readonly contextFields: ReadonlyMap<string, ContextField>;
  readonly tagTypes: ReadonlyMap<string, unknown>;
  readonly tags: ReadonlyMap<string, unknown>;
  readonly segments: ReadonlyMap<string, Pointer<number>>;
}

/** A tag under which it can be looked up. */
export function tagKey({ type, value }: Tag): string {
  return `${type}\n${value}`;
}

/**
 * Reads all of it in one wait.
 * @throws ApiError 404 for an unknown target project.
 */
export async function loadImportReferences(
  table: Table,
  { project, environment, data }: ImportData,
): Promise<ImportReferences> {
  const names = data.features.map(({ name }) => name);
  const parents = data.dependencies.flatMap(({ dependencies }) => dependencies.map(({ feature }) => feature));
  const constraints = data.featureStrategies.flatMap((strategy) => strategy.constraints ?? []);
  const fields = [...data.contextFields.map(({ name }) => name), ...constraints.map(({ contextName }) => contextName)];
  const tags = (data.featureTags ?? []).map(tagOf);
  const types = [...data.tagTypes.map(({ name }) => name), ...tags.map(({ type }) => type)];

  const [target, defaultStrategy, features, ...found] = await Promise.all([
    loadProject(table, project),
    loadDefaultStrategy(table, project, environment),
    loadFeatures(table, names, environment),
    lookUp<FeatureItem>(table, parents, keys.feature),
    strategyTypes.some(
      table,
      data.featureStrategies.map(({ name }) => name),
    ),
    contextFields.some(table, fields),
    tagTypes.some(table, types),
    lookUpTags(table, tags),
    segments.bearers(
      table,
      'name',
      data.segments.map(({ name }) => name),
    ),
  ]);
  const [parentsFound, strategyTypesFound, contextFieldsFound, tagTypesFound, tagsFound, segmentsFound] = found;
  return {
    project: target,
    defaultStrategy: defaultStrategy?.strategy,
    features,
    parents: parentsFound,
    strategyTypes: strategyTypesFound,
    contextFields: contextFieldsFound,
    tagTypes: tagTypesFound,
    tags: tagsFound,
    segments: segmentsFound,
  };
}

async function loadFeatures(
  table: Table,
  names: readonly string[],
  environment: string,
): Promise<Map<string, StoredFeature>> {
  const distinct = [...new Set(names)];
  const stored = await Promise.all(distinct.map((name) => loadFeatureIn(table, name, [environment])));
  return new Map(stored.flatMap((each) => (each === undefined ? [] : [[each.feature.name, each]])));
}

async function lookUp<T>(
  table: Table,
  names: readonly string[],
  keyOf: (name: string) => Key,
): Promise<Map<string, T>> {
  const distinct = [...new Set(names)];
  const items = await readItems<T>(table, distinct.map(keyOf));
  return new Map(
    distinct.flatMap((name, index): [string, T][] => {
      const item = items[index];
      return item === undefined ? [] : [[name, item]];
    }),
  );
}

async function lookUpTags(table: Table, tags: readonly Tag[]): Promise<Map<string, unknown>> {
  const distinct = new Map(tags.map((tag) => [tagKey(tag), tag]));
  return lookUp(table, [...distinct.keys()], (id) => {
    const { type, value } = distinct.get(id) as Tag;
    return keys.tag(type, value);
  });
}
