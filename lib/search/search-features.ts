import type { Actor } from '../events/actor.ts';
import { favoritesOf } from '../features/favorites.ts';
import { listedView } from '../features/feature.ts';
import { listProjectIds, type Project, projects } from '../projects/projects.ts';
import type { FoundFeature, ListedEnvironment, ProjectFeature } from '../schemas/feature-list.ts';
import type { FeatureSearch } from '../schemas/feature-search.ts';
import { segments } from '../segments/segments.ts';
import { type Shelf, type ShelvedFeature, shelvesOf } from '../snapshot/shelf.ts';
import type { Table } from '../table/table.ts';
import { isEqual, matches } from './matching.ts';
import { ordered } from './order.ts';

/** What a search has found. */
export interface FoundFeatures {
  /** Those of the page. */
  readonly features: readonly FoundFeature[];
  /** How many there are on all pages. */
  readonly total: number;
}

/**
 * The features that a search looks for, on the page that it asks for. It sees every change that was answered before, each
 * project as it was at one moment.
 * @param user whose favorites are meant.
 */
export async function searchFeatures(table: Table, user: Actor, search: FeatureSearch): Promise<FoundFeatures> {
  const ids = await searchedProjects(table, search);
  const names = search.segment?.values ?? [];
  const [shelves, favorites, places, bearers] = await Promise.all([
    shelvesOf(table, ids),
    favoritesOf(table, user),
    projects.some(table, ids),
    segments.bearers(table, 'name', names),
  ]);
  const segmentIds = new Map([...bearers].map(([name, { id }]) => [name, id]));
  const isFavorite = ({ feature }: ShelvedFeature) => favorites(feature);
  const found = shelves
    .flatMap((shelf) => [...shelf.features.values()])
    .filter((each) => matches(each, search, { segmentIds, isFavorite: isFavorite(each) }));

  const { offset, limit } = search;
  const page = ordered(found, search, isFavorite).slice(offset, offset + limit);
  const parents = new Set(shelves.flatMap(parentsIn));
  const used = await segments.some(table, page.flatMap(segmentsOf));
  return {
    total: found.length,
    features: page.map((shelved) => ({
      ...projectView(shelved, places.get(shelved.feature.project)),
      ...(shelved.feature.createdBy === undefined && { createdBy: nobody }),
      favorite: isFavorite(shelved),
      dependencyType: dependencyType(shelved, parents),
      segments: segmentsOf(shelved).flatMap((id) => used.get(id)?.name ?? []),
    })) as FoundFeature[],
  };
}

/** Who created the features of which nobody has noted it. */
const nobody = { id: 0, name: 'unknown', imageUrl: '' };

/** The projects whose features are looked at. */
async function searchedProjects(table: Table, { project }: FeatureSearch): Promise<readonly string[]> {
  const isNamed = project?.operator === 'IS' || project?.operator === 'IS_ANY_OF';
  if (isNamed) return [...new Set(project.values)];
  return (await listProjectIds(table)).filter((id) => isEqual(project, id));
}

/** A feature as the list of its project shows it. */
export function projectView({ feature, summaries }: ShelvedFeature, project: Project | undefined): ProjectFeature {
  const environments = (project?.environments ?? []).map(({ name, type, sortOrder }): ListedEnvironment => {
    const { enabled = false, variants = 0, strategies = 0, enabledStrategies = 0 } = summaries.get(name) ?? {};
    return {
      name,
      type,
      enabled,
      sortOrder,
      variantCount: variants,
      lastSeenAt: null,
      hasStrategies: strategies > 0,
      hasEnabledStrategies: enabledStrategies > 0,
    };
  });
  return { ...listedView(feature), environments };
}

function parentsIn({ features }: Shelf): string[] {
  return [...features.values()].flatMap((each) => each.feature.dependencies.map((dependency) => dependency.feature));
}

function dependencyType({ feature }: ShelvedFeature, parents: ReadonlySet<string>): 'parent' | 'child' | null {
  if (feature.dependencies.length > 0) return 'child';
  return parents.has(feature.name) ? 'parent' : null;
}

function segmentsOf({ summaries }: ShelvedFeature): number[] {
  return [...new Set([...summaries.values()].flatMap(({ segments: ids = [] }) => ids))];
}
