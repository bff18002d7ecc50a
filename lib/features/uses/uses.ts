import type { Entity } from '../../entity/entity.ts';
import type { Referrer } from '../../entity/references.ts';
import { listProjectIds } from '../../projects/projects.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { chunksOf } from '../../values/lists.ts';
import { environmentOfFeature } from '../feature.ts';
import { loadHeads, readFeatureIn } from '../feature-store.ts';
import type { EnvironmentSummary } from '../items/feature-items.ts';
import { type Shelf, shelvesOf } from '../shelf/shelf.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';

/** Number of live features that use a thing, and of the projects that these are in. */
export interface Usage {
  readonly usedInFeatures: number;
  readonly usedInProjects: number;
}

/** Returns the ids that a feature uses in an environment, from its summary. */
type Used<Id> = (summary: EnvironmentSummary) => readonly Id[] | undefined;

/** Tells whether a feature uses something in an environment, from its summary. */
type IsUsed = (summary: EnvironmentSummary, environment: string) => boolean;

/** A live feature, and those of its environments in which it uses something. */
export interface UsingFeature {
  readonly project: string;
  readonly feature: string;
  readonly environments: readonly string[];
}

/** A strategy, and the place that it has. */
export interface StrategyAt {
  readonly place: {
    readonly projectId: string;
    readonly featureName: string;
    readonly environment: string;
    readonly strategyId: string;
  };
  readonly strategy: Strategy;
}

/** Number of features read together. */
const chunkSize = 100;

/** Counts the uses by live features, by id; no stored count can drift, since a process has all features in memory. */
export async function usageOf<Id>(request: Request, used: Used<Id>): Promise<(id: Id) => Usage> {
  const features = new Map<Id, number>();
  const projects = new Map<Id, number>();
  const count = (counts: Map<Id, number>, ids: ReadonlySet<Id>) => {
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  };
  for (const shelf of await allShelves(request)) {
    const inProject = new Set<Id>();
    for (const { feature, summaries } of shelf.features.values()) {
      if (feature.archivedAt !== null) continue;
      const ids = new Set([...summaries.values()].flatMap((summary) => used(summary) ?? []));
      count(features, ids);
      for (const id of ids) inProject.add(id);
    }
    count(projects, inProject);
  }
  return (id) => ({ usedInFeatures: features.get(id) ?? 0, usedInProjects: projects.get(id) ?? 0 });
}

/** Returns the live features that use something in some environment, by project and name. */
export async function featuresUsing(request: Request, isUsed: IsUsed, projects?: readonly string[]) {
  return usesIn(await allShelves(request, projects), isUsed);
}

/** Returns the uses as `featuresUsing` does, in projects that were read already. */
export function usesIn(shelves: readonly Shelf[], isUsed: IsUsed): UsingFeature[] {
  return shelves.flatMap(({ project, features }) =>
    [...features.values()].flatMap(({ feature, summaries }): UsingFeature[] => {
      if (feature.archivedAt !== null) return [];
      const environments = [...summaries].flatMap(([name, summary]) => (isUsed(summary, name) ? [name] : []));
      return environments.length === 0 ? [] : [{ project, feature: feature.name, environments }];
    }),
  );
}

/** Reads who refers to a segment or a strategy type, as far as the caller sees it, and which of them are archived features. */
export async function readReferrers<T extends object, Id extends string | number>(
  request: Request,
  kind: Entity<T, Id>,
  id: Id,
): Promise<Referrer[]> {
  const referrers = await kind.referrers(request, id);
  const features = referrers.map(({ details }) => (details as { readonly feature?: string }).feature);
  const heads = await loadHeads(
    withAllProjects(request),
    features.filter((name) => name !== undefined),
  );
  return referrers.map((each, index) => {
    const feature = features[index];
    // One that was deleted meanwhile was archived before.
    return feature === undefined ? each : { ...each, isArchived: heads.get(feature)?.archivedAt !== null };
  });
}

/** Returns a strategy and its place as replies show them. */
export function toStrategyView({ place, strategy }: StrategyAt) {
  const { projectId, featureName, environment } = place;
  return { id: strategy.id, featureName, projectId, environment, strategyName: strategy.name };
}

/**
 * Returns the strategies of features in those environments, read a hundred features at a time: a caller may stop early.
 */
export async function* strategiesOf(request: Request, uses: readonly UsingFeature[]): AsyncGenerator<StrategyAt> {
  for (const chunk of chunksOf(uses, chunkSize)) {
    const found = await Promise.all(
      chunk.map(({ feature, environments }) => readFeatureIn(request, feature, environments)),
    );
    for (const [index, { project, feature: featureName, environments }] of chunk.entries()) {
      const stored = found[index];
      // Deleted since.
      if (stored === undefined) continue;
      for (const environment of environments) {
        for (const strategy of environmentOfFeature(stored.feature, environment).strategies) {
          yield { place: { projectId: project, featureName, environment, strategyId: strategy.id }, strategy };
        }
      }
    }
  }
}

/** Returns the strategy with an id among those of features. */
export async function findStrategy(
  request: Request,
  uses: readonly UsingFeature[],
  id: string,
): Promise<StrategyAt | undefined> {
  for await (const found of strategiesOf(request, uses)) if (found.strategy.id === id) return found;
  return undefined;
}

async function allShelves(request: Request, projects?: readonly string[]): Promise<Shelf[]> {
  return shelvesOf(request, projects ?? (await listProjectIds(request)));
}
