import { contextFields } from '../context-fields/context-fields.ts';
import { environments } from '../environments/environments.ts';
import { type ApiError, invalid, notFound } from '../errors.ts';
import { fitsReply, ReplyBudget } from '../events/reply-budget.ts';
import { environmentOfFeature, type Feature, type FeatureEnvironment, metadataOf } from '../features/feature.ts';
import { readFeatureIn } from '../features/feature-store.ts';
import { dropMissing, loadPresent } from '../features/lifecycle/drop-missing.ts';
import { shelvesOf } from '../features/shelf/shelf.ts';
import { inOrder } from '../features/strategies/strategy.ts';
import { listProjectIds, loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segments } from '../segments/segments.ts';
import type { Tag } from '../tags/tag-schema.ts';
import { tagTypes } from '../tags/tags.ts';
import { mapChunks } from '../values/lists.ts';
import type { ExportedFeatures, ExportQuery } from './export-schema.ts';

/** Number of features read together. */
const chunkSize = 100;

/** A feature and what it is in the environment of the export. */
interface Exported {
  readonly feature: Feature;
  readonly state: FeatureEnvironment;
}

/**
 * Exports features with their state in an environment, and everything that an import of them needs: the named ones if
 * there are any, otherwise those that are not archived with a tag, or of a project. Each feature is as it was at one
 * moment.
 * @throws ApiError 404 for an unknown environment, project or feature; 400 for more than a reply holds.
 */
export async function exportFeatures(request: Request, query: ExportQuery): Promise<ExportedFeatures> {
  const [exported] = await Promise.all([exportedBy(request, query), environments.load(request, query.environment)]);
  const result = { ...ownData(exported, query.environment), ...(await sharedData(request, exported)) };
  if (!fitsReply(result)) throw tooLarge();
  return result;
}

function tooLarge(): ApiError {
  return invalid('The export exceeds the size limit of a response; export fewer features at once.', 'features');
}

async function exportedBy(request: Request, query: ExportQuery): Promise<Exported[]> {
  const { environment } = query;
  // All features of a store may be more than there is memory for.
  const budget = new ReplyBudget();
  return mapChunks(await namesIn(request, query), chunkSize, async (name) => {
    const stored = await readFeatureIn(request, name, [environment]);
    if (stored === undefined) throw notFound('feature', name);
    const feature = await withoutMissing(request, stored.feature);
    const state = environmentOfFeature(feature, environment);
    if (!budget.take(JSON.stringify(state))) throw tooLarge();
    return { feature, state };
  });
}

/** An archived feature may name what is gone, which no import could take. */
async function withoutMissing(request: Request, feature: Feature): Promise<Feature> {
  return feature.archivedAt === null ? feature : dropMissing(feature, await loadPresent(request, feature)).after;
}

async function namesIn(request: Request, { features = [], tag, project }: ExportQuery): Promise<string[]> {
  if (features.length > 0) return [...new Set(features)];
  const ids = project === undefined ? await listProjectIds(request) : [(await loadProject(request, project)).id];
  const listed = (await shelvesOf(request, ids)).flatMap((shelf) => [...shelf.features.values()]);
  const live = listed.map(({ feature }) => feature).filter(({ archivedAt }) => archivedAt === null);
  return live
    .filter(({ tags }) => tag === undefined || tags.some((each) => isNamed(each, tag)))
    .map(({ name }) => name);
}

/** Unleash names a tag by its value alone. */
function isNamed({ type, value }: Tag, tag: string): boolean {
  return value === tag || `${type}:${value}` === tag;
}

/** Returns the part of an export that belongs to single features. */
function ownData(exported: readonly Exported[], environment: string) {
  return {
    features: exported.map(({ feature }) => {
      const { name, description, type, project, stale, impressionData, archived } = metadataOf(feature);
      return { name, description, type, project, stale, impressionData, archived };
    }),
    featureStrategies: exported.flatMap(({ state }) => inOrder(state.strategies)),
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

/** Reads the part of an export that features share: the segments, context fields and tag types that they use. */
async function sharedData(request: Request, exported: readonly Exported[]) {
  const strategies = exported.flatMap(({ state }) => state.strategies);
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
    contextFields.some(request, fieldNames),
    segments.some(
      request,
      strategies.flatMap((strategy) => strategy.segments),
    ),
    tagTypes.some(
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
