import type { ContextField } from '../context-fields/context-field-schema.ts';
import { contextFields, newContextField } from '../context-fields/context-fields.ts';
import type { Entity, Pointer } from '../entity/entity.ts';
import { mustExist } from '../entity/references.ts';
import type { Effects } from '../entity/step.ts';
import type { Dependency } from '../features/feature-schema.ts';
import { loadHeads, loadHeadsAndTombstones, loadParts } from '../features/feature-store.ts';
import type { FeatureHead, Tombstone } from '../features/items/feature-items.ts';
import { loadDefaultStrategy } from '../features/strategies/default-strategy.ts';
import type { StrategyInput } from '../features/strategies/strategy-input-schema.ts';
import { loadTargetProject, type TargetProject } from '../features/target-project.ts';
import * as projectKeys from '../projects/keys.ts';
import type { Project } from '../projects/projects.ts';
import { isHidden, type Request, withAllProjects } from '../request.ts';
import { segments } from '../segments/segments.ts';
import { strategyTypes } from '../strategy-types/strategy-types.ts';
import { loadKnownTags, newTagType, newTagWrites, tagCreatedEvent, tagIdentity, tagTypes } from '../tags/tags.ts';
import { distinctBy } from '../values/lists.ts';
import { parentsIn } from './by-feature.ts';
import type { ExportData, ImportData } from './import-data-schema.ts';
import { tagOf } from './wanted-feature.ts';

/** Stored state of everything that a file names. */
export interface ImportReferences {
  readonly project: Project;
  /** Number of features of the project. */
  readonly counts: TargetProject['counts'];
  readonly environment: string;
  readonly defaultStrategy: StrategyInput | undefined;
  /** The names in the file that archived features have, of any project that the importer sees; an import leaves them as they are. */
  readonly archived: ReadonlySet<string>;
  /** The features of the file that exist, but for those. */
  readonly features: ReadonlyMap<string, FeatureHead>;
  /** The dependencies of those whose own item has no room for them. */
  readonly dependenciesApart: ReadonlyMap<string, readonly Dependency[]>;
  /** Remains of deleted features whose names the file uses. */
  readonly tombstones: ReadonlyMap<string, Tombstone>;
  /** The parents that exist. */
  readonly parents: ReadonlyMap<string, FeatureHead>;
  readonly strategyTypes: ReadonlyMap<string, unknown>;
  readonly contextFields: ReadonlyMap<string, ContextField>;
  /** The names of context fields that belong to projects which the importer must not see. */
  readonly hiddenFields: ReadonlySet<string>;
  readonly tagTypes: ReadonlyMap<string, unknown>;
  readonly tags: ReadonlySet<string>;
  readonly segments: ReadonlyMap<string, Pointer<number>>;
}

/**
 * Reads all of it in one wait, or two where dependencies are large.
 * @throws ApiError 404 for an unknown or archived target project; LostRace where they are not of one moment.
 */
export async function loadImportReferences(
  request: Request,
  { project, environment, data }: ImportData,
): Promise<ImportReferences> {
  const tags = (data.featureTags ?? []).map(tagOf);
  const constraints = data.featureStrategies.flatMap((strategy) => strategy.constraints ?? []);
  const target = loadTargetProject(request, project);
  // A name that a hidden feature has is taken, too.
  const named = loadHeadsAndTombstones(withAllProjects(request), namesOf(data.features)).then(
    ({ heads, tombstones }) => {
      const isLeftOut = ({ archivedAt, project: of }: FeatureHead) => archivedAt !== null && !isHidden(request, of);
      const archived = new Set([...heads.values()].filter(isLeftOut).map(({ name }) => name));
      return { tombstones, archived, heads: new Map([...heads].filter(([name]) => !archived.has(name))) };
    },
  );
  const fields = contextFields.some(withAllProjects(request), [
    ...namesOf(data.contextFields),
    ...constraints.map(({ contextName }) => contextName),
  ]);
  return all({
    project: target.then((found) => found.project),
    counts: target.then((found) => found.counts),
    environment,
    defaultStrategy: loadDefaultStrategy(request, project, environment).then((found) => found?.strategy),
    archived: named.then(({ archived }) => archived),
    features: named.then(({ heads }) => heads),
    dependenciesApart: named.then(({ heads }) => loadDependenciesApart(request, data, heads)),
    tombstones: named.then(({ tombstones }) => tombstones),
    parents: loadHeads(request, [...parentsIn(data)]),
    strategyTypes: strategyTypes.some(request, namesOf(data.featureStrategies)),
    contextFields: fields.then((found) => new Map([...found].filter(([, { project: of }]) => !isHidden(request, of)))),
    hiddenFields: fields.then(
      (found) => new Set(namesOf([...found.values()].filter(({ project: of }) => isHidden(request, of)))),
    ),
    tagTypes: tagTypes.some(request, [...namesOf(data.tagTypes), ...tags.map(({ type }) => type)]),
    tags: loadKnownTags(request, tags),
    segments: segmentsNamed(request, namesOf(data.segments)),
  });
}

/** Finds segments by their names. Unleash keeps white space around names, without which one that is made here has them. */
async function segmentsNamed(request: Request, names: readonly string[]): Promise<Map<string, Pointer<number>>> {
  const found = await segments.bearers(
    request,
    'name',
    names.flatMap((name) => [name, name.trim()]),
  );
  return new Map(
    names.flatMap((name) => {
      const segment = found.get(name) ?? found.get(name.trim());
      return segment === undefined ? [] : [[name, segment]];
    }),
  );
}

async function loadDependenciesApart(
  request: Request,
  { dependencies }: ImportData['data'],
  heads: ReadonlyMap<string, FeatureHead>,
): Promise<Map<string, Dependency[]>> {
  const children = new Set(dependencies.flatMap(({ feature }) => heads.get(feature) ?? []));
  const loaded = await Promise.all(
    [...children].map(async (head) => {
      const part = (await loadParts(request, head, ['dependencies'])).get('dependencies');
      return part === undefined ? [] : [[head.name, JSON.parse(part.value)] as const];
    }),
  );
  return new Map(loaded.flat());
}

function namesOf(things: readonly { readonly name: string }[]): string[] {
  return things.map(({ name }) => name);
}

/** Waits for all properties at once. */
async function all<T extends object>(properties: T): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const entries = Object.entries(properties).map(async ([name, value]) => [name, await value]);
  return Object.fromEntries(await Promise.all(entries));
}

type FieldInFile = ExportData['contextFields'][number];

/** A thing that features share and that the file brings along. */
export interface SharedCreation extends Effects {
  readonly what: string;
}

/** Returns the tag types, context fields and tags of the file that are new here. */
export function listSharedCreations(data: ExportData, references: ImportReferences, at: string): SharedCreation[] {
  const newTagTypes = distinctBy(data.tagTypes, byName).filter(({ name }) => !references.tagTypes.has(name));
  const newFields = distinctBy(data.contextFields, byName).filter(({ name }) => !references.contextFields.has(name));
  return [
    ...newTagTypes.map((tagType) => creationOf(tagTypes, newTagType(tagType), at)),
    ...newTags(data, references),
    ...newFields.map((field) => fieldCreation(field, references.project.id, at)),
  ];
}

/** A field of a project goes to the project of the import, which must still exist when it is written. */
function fieldCreation(field: FieldInFile, projectId: string, at: string): SharedCreation {
  const made = newContextField(field, at);
  if (typeof field.project !== 'string') return creationOf(contextFields, made, at);
  const { writes, ...creation } = creationOf(contextFields, { ...made, project: projectId }, at);
  return { ...creation, writes: [...writes, mustExist('project', projectId, projectKeys.project(projectId))] };
}

function creationOf<T extends object>(kind: Entity<T, string>, thing: T, at: string): SharedCreation {
  return { what: `${kind.kind} "${kind.idOf(thing)}"`, ...kind.created(thing, at, 'retry') };
}

function newTags({ featureTags = [] }: ExportData, references: ImportReferences): SharedCreation[] {
  return distinctBy(featureTags.map(tagOf), tagIdentity)
    .filter((tag) => !references.tags.has(tagIdentity(tag)))
    .map((tag) => ({
      what: `tag "${tag.value}"`,
      writes: newTagWrites(tag, references.project.id),
      events: [tagCreatedEvent(tag)],
    }));
}

const byName = ({ name }: { readonly name: string }) => name;
