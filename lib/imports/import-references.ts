import { type ContextField, contextFields } from '../context-fields/context-fields.ts';
import type { Pointer } from '../entity/entity.ts';
import type { FeatureHead } from '../features/feature-items.ts';
import { loadFeature, loadHeads } from '../features/feature-store.ts';
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
  readonly environment: string;
  readonly defaultStrategy: StrategyInput | undefined;
  /** The features of the file that exist. */
  readonly features: ReadonlyMap<string, FeatureHead>;
  /** The parents that exist. */
  readonly parents: ReadonlyMap<string, FeatureHead>;
  /** The variants of parents that the file names and does not replace. */
  readonly parentVariants: ReadonlyMap<string, ReadonlySet<string>>;
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

  const [target, defaultStrategy, features, parentHeads, parentVariants, ...found] = await Promise.all([
    loadProject(table, project),
    loadDefaultStrategy(table, project, environment),
    loadHeads(table, names),
    loadHeads(table, parents),
    loadParentVariants(table, data, environment),
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
  const [strategyTypesFound, contextFieldsFound, tagTypesFound, tagsFound, segmentsFound] = found;
  return {
    project: target,
    environment,
    defaultStrategy: defaultStrategy?.strategy,
    features,
    parents: parentHeads,
    parentVariants,
    strategyTypes: strategyTypesFound,
    contextFields: contextFieldsFound,
    tagTypes: tagTypesFound,
    tags: tagsFound,
    segments: segmentsFound,
  };
}

/** The variants that parents keep, of those parents whose variants the file names. */
async function loadParentVariants(
  table: Table,
  { features, featureEnvironments, dependencies }: ImportData['data'],
  environment: string,
): Promise<Map<string, Set<string>>> {
  const named = dependencies.flatMap((each) => each.dependencies).filter(({ variants }) => variants.length > 0);
  const inFile = new Set(features.map(({ name }) => name));
  const replaced = new Set(
    featureEnvironments.flatMap(({ featureName, name, variants }) =>
      variants === undefined ? [] : (featureName ?? name),
    ),
  );
  const names = [...new Set(named.map(({ feature }) => feature))];
  const stored = await Promise.all(names.map((name) => loadFeature(table, name)));
  return new Map(
    names.map((name, index) => {
      const states = [...(stored[index]?.feature.environments ?? [])];
      const kept = states.flatMap(([each, { strategies, variants }]) => [
        ...(each === environment && inFile.has(name) ? [] : strategies.flatMap((strategy) => strategy.variants)),
        ...(each === environment && replaced.has(name) ? [] : variants),
      ]);
      return [name, new Set(kept.map((variant) => variant.name))];
    }),
  );
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
