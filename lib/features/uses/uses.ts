import type { Entity } from '../../entity/entity.ts';
import type { Referrer } from '../../entity/references.ts';
import type { Actor } from '../../events/actor.ts';
import { listProjectIds } from '../../projects/projects.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { requireCustomStrategyType, strategyTypes } from '../../strategy-types/strategy-types.ts';
import { chunksOf } from '../../values/lists.ts';
import { listAllStrategies } from '../environments/feature-environment.ts';
import { environmentOfFeature } from '../feature.ts';
import { loadFeatureInWithRetry, loadHeads } from '../feature-store.ts';
import type { EnvironmentSummary } from '../items/environment-summary.ts';
import { loadReadModels, type ReadModel } from '../read-model/read-model.ts';
import type { StrategyPath } from '../strategies/change-strategies.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';

/** The number of live features that use a thing, and the number of their projects. */
export interface Usage {
  readonly usedInFeatures: number;
  readonly usedInProjects: number;
}

/** Returns the ids of the things that a feature uses in an environment. */
type UsedIdsOf<Id> = (summary: EnvironmentSummary) => readonly Id[] | undefined;

/** Tells whether a feature uses a thing in an environment. */
type IsUsing = (summary: EnvironmentSummary, environment: string) => boolean;

/** A live feature, and the environments in which it uses a thing. */
export interface UsingFeature {
  readonly project: string;
  readonly feature: string;
  readonly environments: readonly string[];
}

/** A strategy and its path. */
export interface LocatedStrategy {
  readonly path: StrategyPath;
  readonly strategy: Strategy;
}

/** Number of features read together. */
const chunkSize = 100;

/** Counts the uses of each thing by live features. The counts are not stored, since a process has all features in memory. */
export async function countUses<Id>(request: Request, usedIdsOf: UsedIdsOf<Id>): Promise<(id: Id) => Usage> {
  const features = new Map<Id, number>();
  const projects = new Map<Id, number>();
  const addAll = (counts: Map<Id, number>, ids: ReadonlySet<Id>) => {
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  };
  for (const readModel of await loadReadModels(request, await listProjectIds(request))) {
    const projectIds = new Set<Id>();
    for (const { feature, summaries } of readModel.features.values()) {
      if (feature.archivedAt !== null) continue;
      const ids = new Set([...summaries.values()].flatMap((summary) => usedIdsOf(summary) ?? []));
      addAll(features, ids);
      for (const id of ids) projectIds.add(id);
    }
    addAll(projects, projectIds);
  }
  return (id) => ({ usedInFeatures: features.get(id) ?? 0, usedInProjects: projects.get(id) ?? 0 });
}

/** Finds the live features that use a thing in any environment, by project and name. */
export async function findFeaturesUsing(request: Request, isUsing: IsUsing, projects?: readonly string[]) {
  return findUsesIn(await loadReadModels(request, projects ?? (await listProjectIds(request))), isUsing);
}

/** Finds uses as `findFeaturesUsing` does, in projects that were read already. */
export function findUsesIn(readModels: readonly ReadModel[], isUsing: IsUsing): UsingFeature[] {
  return readModels.flatMap(({ project, features }) =>
    [...features.values()].flatMap(({ feature, summaries }): UsingFeature[] => {
      if (feature.archivedAt !== null) return [];
      const environments = [...summaries].flatMap(([name, summary]) => (isUsing(summary, name) ? [name] : []));
      return environments.length === 0 ? [] : [{ project, feature: feature.name, environments }];
    }),
  );
}

/** Reads the visible referrers of a segment or strategy type, and marks archived features among them. */
export async function loadMarkedReferrers<T extends object, Id extends string | number>(
  request: Request,
  kind: Entity<T, Id>,
  id: Id,
): Promise<Referrer[]> {
  const referrers = await kind.listReferrers(request, id);
  const features = referrers.map(({ details }) => (details as { readonly feature?: string }).feature);
  const heads = await loadHeads(
    withAllProjects(request),
    features.filter((name) => name !== undefined),
  );
  return referrers.map((referrer, index) => {
    const feature = features[index];
    // A feature that was deleted meanwhile was archived before.
    return feature === undefined ? referrer : { ...referrer, isArchived: heads.get(feature)?.archivedAt !== null };
  });
}

/** Returns a strategy with its path, as replies show it. */
export function toPlacedStrategy({ path, strategy }: LocatedStrategy) {
  const { projectId, featureName, environment } = path;
  return { id: strategy.id, featureName, projectId, environment, strategyName: strategy.name };
}

/** Reads the strategies of features in the given environments. It reads in chunks, so that a caller can stop early. */
export async function* readStrategies(
  request: Request,
  uses: readonly UsingFeature[],
): AsyncGenerator<LocatedStrategy> {
  for (const chunk of chunksOf(uses, chunkSize)) {
    const features = await Promise.all(
      chunk.map(({ feature, environments }) => loadFeatureInWithRetry(request, feature, environments)),
    );
    for (const [index, { project, feature: featureName, environments }] of chunk.entries()) {
      const stored = features[index];
      // The feature was deleted meanwhile.
      if (stored === undefined) continue;
      for (const environment of environments) {
        for (const strategy of listAllStrategies(environmentOfFeature(stored.feature, environment))) {
          yield { path: { projectId: project, featureName, environment, strategyId: strategy.id }, strategy };
        }
      }
    }
  }
}

/** Finds the strategy with an id among the strategies of features. */
export async function findStrategy(
  request: Request,
  uses: readonly UsingFeature[],
  id: string,
): Promise<LocatedStrategy | undefined> {
  for await (const located of readStrategies(request, uses)) if (located.strategy.id === id) return located;
  return undefined;
}

/**
 * Removes a custom strategy type that no live feature and no default strategy uses.
 * @throws ApiError 404 for an unknown type; 403 for a built-in type; 409 with the users of the type.
 */
export async function removeStrategyType(request: Request, actor: Actor, name: string): Promise<void> {
  requireCustomStrategyType(name);
  const readAll = () => loadMarkedReferrers(withAllProjects(request), strategyTypes, name);
  await strategyTypes.remove(request, actor, name, undefined, readAll);
}
