import type { ContextField } from '../context-fields/context-field-schema.ts';
import { contextFields, newContextField } from '../context-fields/context-fields.ts';
import type { Effects } from '../entity/effects.ts';
import type { Entity } from '../entity/entity.ts';
import type { Pointer } from '../entity/entity-definition.ts';
import type { Dependency } from '../features/feature-schema.ts';
import { loadHeads, loadHeadsAndTombstones, loadParts } from '../features/feature-store.ts';
import type { FeatureHead, Tombstone } from '../features/items/feature-items.ts';
import { loadDefaultStrategy } from '../features/strategies/default-strategy.ts';
import type { StrategyInput } from '../features/strategies/strategy-input-schema.ts';
import { loadTargetProject, type TargetProject } from '../features/target-project.ts';
import type { Project } from '../projects/projects.ts';
import { buildProjectCheck } from '../projects/projects.ts';
import { isHidden, type Request, withAllProjects } from '../request.ts';
import { segments } from '../segments/segments.ts';
import { strategyTypes } from '../strategy-types/strategy-types.ts';
import { loadKnownTags, newTagType, newTagWrites, tagCreatedEvent, tagIdentity, tagTypes } from '../tags/tags.ts';
import { distinctBy } from '../values/lists.ts';
import { parentsIn } from './by-feature.ts';
import type { ExportData, ImportData } from './import-data-schema.ts';
import { tagOf } from './wanted-feature.ts';

/** The stored state of everything that a file names. */
export interface ImportReferences {
  readonly project: Project;
  /** Number of features of the project. */
  readonly counts: TargetProject['counts'];
  readonly environment: string;
  readonly defaultStrategy: StrategyInput | undefined;
  /** The names of archived features in the file, of any project that the importer may see. An import does not change them. */
  readonly archived: ReadonlySet<string>;
  /** The other features of the file that exist. */
  readonly features: ReadonlyMap<string, FeatureHead>;
  /** The dependencies that do not fit into the item of their feature. */
  readonly dependenciesApart: ReadonlyMap<string, readonly Dependency[]>;
  /** Remains of deleted features whose names the file uses. */
  readonly tombstones: ReadonlyMap<string, Tombstone>;
  /** The parents that exist. */
  readonly parents: ReadonlyMap<string, FeatureHead>;
  readonly strategyTypes: ReadonlyMap<string, unknown>;
  readonly contextFields: ReadonlyMap<string, ContextField>;
  /** The names of context fields of projects that the importer may not see. */
  readonly hiddenFields: ReadonlySet<string>;
  readonly tagTypes: ReadonlyMap<string, unknown>;
  readonly tags: ReadonlySet<string>;
  readonly segments: ReadonlyMap<string, Pointer<number>>;
}

/**
 * Loads the stored state in one wait, or in two if dependencies are large.
 * @throws ApiError 404 for an unknown or archived target project; LostRace if the parts of a feature differ in version.
 */
export async function loadImportReferences(
  request: Request,
  { project, environment, data }: ImportData,
): Promise<ImportReferences> {
  const tags = (data.featureTags ?? []).map(tagOf);
  const constraints = data.featureStrategies.flatMap((strategy) => strategy.constraints ?? []);
  const target = loadTargetProject(request, project);
  // The name of a hidden feature is taken, too.
  const named = loadHeadsAndTombstones(withAllProjects(request), namesOf(data.features)).then(
    ({ heads, tombstones }) => {
      const isOmitted = ({ archivedAt, project: id }: FeatureHead) => archivedAt !== null && !isHidden(request, id);
      const archived = new Set([...heads.values()].filter(isOmitted).map(({ name }) => name));
      return { tombstones, archived, heads: new Map([...heads].filter(([name]) => !archived.has(name))) };
    },
  );
  const fields = contextFields.findSome(withAllProjects(request), [
    ...namesOf(data.contextFields),
    ...constraints.map(({ contextName }) => contextName),
  ]);
  return awaitAll({
    project: target.then((loaded) => loaded.project),
    counts: target.then((loaded) => loaded.counts),
    environment,
    defaultStrategy: loadDefaultStrategy(request, project, environment).then((loaded) => loaded?.strategy),
    archived: named.then(({ archived }) => archived),
    features: named.then(({ heads }) => heads),
    dependenciesApart: named.then(({ heads }) => loadDependenciesApart(request, data, heads)),
    tombstones: named.then(({ tombstones }) => tombstones),
    parents: loadHeads(request, [...parentsIn(data)]),
    strategyTypes: strategyTypes.findSome(request, namesOf(data.featureStrategies)),
    contextFields: fields.then(
      (loaded) => new Map([...loaded].filter(([, { project: id }]) => !isHidden(request, id))),
    ),
    hiddenFields: fields.then(
      (loaded) => new Set(namesOf([...loaded.values()].filter(({ project: id }) => isHidden(request, id)))),
    ),
    tagTypes: tagTypes.findSome(request, [...namesOf(data.tagTypes), ...tags.map(({ type }) => type)]),
    tags: loadKnownTags(request, tags),
    segments: findSegments(request, namesOf(data.segments)),
  });
}

/** Finds segments by name. Unleash keeps white space around names, which segments that are created here do not have. */
async function findSegments(request: Request, names: readonly string[]): Promise<Map<string, Pointer<number>>> {
  const byName = await segments.findHolders(
    request,
    'name',
    names.flatMap((name) => [name, name.trim()]),
  );
  return new Map(
    names.flatMap((name) => {
      const segment = byName.get(name) ?? byName.get(name.trim());
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

/** Waits for all properties concurrently. */
async function awaitAll<T extends object>(properties: T): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const entries = Object.entries(properties).map(async ([name, value]) => [name, await value]);
  return Object.fromEntries(await Promise.all(entries));
}

type FieldInFile = ExportData['contextFields'][number];

/** The creation of a thing of the file that features share. */
export interface SharedCreation extends Effects {
  readonly subject: string;
}

/** Lists the creations of tag types, context fields and tags of the file that do not exist here. */
export function listSharedCreations(data: ExportData, references: ImportReferences, at: string): SharedCreation[] {
  const newTagTypes = distinctBy(data.tagTypes, nameOf).filter(({ name }) => !references.tagTypes.has(name));
  const newFields = distinctBy(data.contextFields, nameOf).filter(({ name }) => !references.contextFields.has(name));
  return [
    ...newTagTypes.map((tagType) => buildCreation(tagTypes, newTagType(tagType), at)),
    ...listNewTags(data, references),
    ...newFields.map((field) => buildFieldCreation(field, references.project.id, at)),
  ];
}

/** Builds the creation of a context field. A field of a project becomes one of the target project, which must still exist. */
function buildFieldCreation(field: FieldInFile, projectId: string, at: string): SharedCreation {
  const created = newContextField(field, at);
  if (typeof field.project !== 'string') return buildCreation(contextFields, created, at);
  const { writes, ...creation } = buildCreation(contextFields, { ...created, project: projectId }, at);
  return { ...creation, writes: [...writes, ...buildProjectCheck(projectId)] };
}

function buildCreation<T extends object>(entity: Entity<T, string>, thing: T, at: string): SharedCreation {
  return { subject: `${entity.kind} "${entity.idOf(thing)}"`, ...entity.buildCreationEffects(thing, at, 'retry') };
}

function listNewTags({ featureTags = [] }: ExportData, references: ImportReferences): SharedCreation[] {
  return distinctBy(featureTags.map(tagOf), tagIdentity)
    .filter((tag) => !references.tags.has(tagIdentity(tag)))
    .map((tag) => ({
      subject: `tag "${tag.value}"`,
      writes: newTagWrites(tag, references.project.id),
      events: [tagCreatedEvent(tag)],
    }));
}

const nameOf = ({ name }: { readonly name: string }) => name;
