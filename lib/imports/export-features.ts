import { contextFields } from '../context-fields/context-fields.ts';
import { environments } from '../environments/environments.ts';
import { type ApiError, invalid, notFound } from '../errors.ts';
import { fitsReply, ReplyBudget } from '../events/reply-budget.ts';
import type { FeatureEnvironment } from '../features/environments/feature-environment.ts';
import { listLiveStrategies, withoutPlan } from '../features/environments/feature-environment.ts';
import { environmentOfFeature, type Feature, metadataOf } from '../features/feature.ts';
import { loadFeatureInWithRetry } from '../features/feature-store.ts';
import { dropMissingReferences, loadExistingReferences } from '../features/lifecycle/drop-missing-references.ts';
import { loadReadModels } from '../features/read-model/read-model.ts';
import { listProjectIds, loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segments } from '../segments/segments.ts';
import type { Tag } from '../tags/tag-schema.ts';
import { tagTypes } from '../tags/tags.ts';
import { mapChunks } from '../values/lists.ts';
import type { ExportedFeatures, ExportQuery } from './export-schema.ts';

/** Number of features read together. */
const chunkSize = 100;

/** A feature with its state in the environment of the export. */
interface Exported {
  readonly feature: Feature;
  readonly state: FeatureEnvironment;
}

/**
 * Exports features with their state in an environment and everything that an import of them needs. Without names it exports
 * all features of a project or with a tag that are not archived. Each feature is read consistently.
 * @throws ApiError 404 for an unknown environment, project or feature; 400 for more than a reply holds.
 */
export async function exportFeatures(request: Request, query: ExportQuery): Promise<ExportedFeatures> {
  const [exported] = await Promise.all([loadFeatures(request, query), environments.load(request, query.environment)]);
  const result = { ...buildFeatureData(exported, query.environment), ...(await loadSharedData(request, exported)) };
  if (!fitsReply(result)) throw tooLarge();
  return result;
}

function tooLarge(): ApiError {
  return invalid('The export exceeds the size limit of a response; export fewer features at a time.', 'features');
}

async function loadFeatures(request: Request, query: ExportQuery): Promise<Exported[]> {
  const { environment } = query;
  // All features of a store may not fit into memory.
  const budget = new ReplyBudget();
  return mapChunks(await listNames(request, query), chunkSize, async (name) => {
    const stored = await loadFeatureInWithRetry(request, name, [environment]);
    if (stored === undefined) throw notFound('feature', name);
    const feature = await withoutMissing(request, stored.feature);
    const state = environmentOfFeature(feature, environment);
    if (!budget.take(JSON.stringify(state))) throw tooLarge();
    return { feature, state };
  });
}

/** Removes references to deleted things, which archived features may have and an import would refuse. */
async function withoutMissing(request: Request, feature: Feature): Promise<Feature> {
  return feature.archivedAt === null
    ? feature
    : dropMissingReferences(feature, await loadExistingReferences(request, feature), feature.archivedAt).after;
}

async function listNames(request: Request, { features = [], tag, project }: ExportQuery): Promise<string[]> {
  if (features.length > 0) return [...new Set(features)];
  const ids = project === undefined ? await listProjectIds(request) : [(await loadProject(request, project)).id];
  const listed = (await loadReadModels(request, ids)).flatMap((readModel) => [...readModel.features.values()]);
  const live = listed.map(({ feature }) => feature).filter(({ archivedAt }) => archivedAt === null);
  return live
    .filter(({ tags }) => tag === undefined || tags.some((featureTag) => isNamed(featureTag, tag)))
    .map(({ name }) => name);
}

/** Tells whether a text names a tag: by its value alone, as on Unleash, or by type and value. */
function isNamed({ type, value }: Tag, text: string): boolean {
  return value === text || `${type}:${value}` === text;
}

/** Builds the part of an export that belongs to single features. */
function buildFeatureData(exported: readonly Exported[], environment: string) {
  return {
    features: exported.map(({ feature }) => {
      const { name, description, type, project, stale, impressionData, archived } = metadataOf(feature);
      return { name, description, type, project, stale, impressionData, archived };
    }),
    featureStrategies: exported.flatMap(({ state }) => withoutPlan(state).strategies),
    featureEnvironments: exported.map(({ feature: { name }, state: { enabled, variants } }) => ({
      name,
      featureName: name,
      environment,
      enabled,
      variants: [...variants],
    })),
    featureTags: exported.flatMap(({ feature: { name, tags } }) =>
      tags.map(({ type, value }) => ({ featureName: name, tagType: type, tagValue: value })),
    ),
    dependencies: exported.flatMap(({ feature: { name, dependencies } }) =>
      dependencies.length === 0 ? [] : [{ feature: name, dependencies: [...dependencies] }],
    ),
    links: exported.flatMap(({ feature: { name, links } }) =>
      links.length === 0 ? [] : [{ feature: name, links: links.map(({ url, title }) => ({ url, title })) }],
    ),
  };
}

/** Loads the part of an export that features share: the segments, context fields and tag types that they use. */
async function loadSharedData(request: Request, exported: readonly Exported[]) {
  const strategies = exported.flatMap(({ state }) => listLiveStrategies(state));
  const fieldNames = [
    ...strategies.flatMap(({ constraints, parameters, variants }) => [
      ...constraints.map(({ contextName }) => contextName),
      ...(parameters.stickiness === undefined ? [] : [parameters.stickiness]),
      ...variants.map(({ stickiness }) => stickiness),
    ]),
    ...exported.flatMap(({ state }) =>
      state.variants.flatMap(({ stickiness, overrides = [] }) => [
        ...(stickiness === undefined ? [] : [stickiness]),
        ...overrides.map(({ contextName }) => contextName),
      ]),
    ),
  ];
  const [fields, usedSegments, types] = await Promise.all([
    contextFields.findSome(request, fieldNames),
    segments.findSome(
      request,
      strategies.flatMap((strategy) => strategy.segments),
    ),
    tagTypes.findSome(
      request,
      exported.flatMap(({ feature }) => feature.tags.map(({ type }) => type)),
    ),
  ]);
  return {
    contextFields: [...fields.values()].map(({ createdAt: _createdAt, ...field }) => field),
    segments: [...usedSegments.values()].map(({ id, name }) => ({ id, name })),
    tagTypes: [...types.values()],
  };
}
