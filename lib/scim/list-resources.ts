import type { Filter } from 'scim2-parse-filter';
import type { Request } from '../request.ts';
import type { ResourceKind, ScimResource } from './attributes.ts';
import { ComparisonBudget } from './comparison-budget.ts';
import { filterCostOf, listRequiredValues, parseFilter, type RequiredValue, testOf } from './filter.ts';
import { type AttributeSelection, type LinkBase, presentResource, type StoredResource } from './present.ts';

/** A query for resources. Positions begin with 1. */
export interface ListQuery extends AttributeSelection {
  readonly filter?: string | undefined;
  readonly startIndex?: number | undefined;
  readonly count?: number | undefined;
}

/** A page of resources. */
export interface ResourceList {
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly ScimResource[];
}

/** The store of a kind of resource. */
export interface ResourceSource {
  readonly kind: ResourceKind;
  /** Lists the ids of all resources in a stable order, without reading the resources. */
  readonly listIds: (request: Request) => Promise<readonly number[]>;
  /** Finds the ids of all resources that may have a value, by an index; undefined if there is none for the attribute. */
  readonly find: (request: Request, required: RequiredValue) => Promise<readonly number[] | undefined>;
  /** Loads resources in the order of the ids; those that are gone are left out. */
  readonly load: (request: Request, ids: readonly number[], links: LinkBase) => Promise<StoredResource[]>;
}

const defaultCount = 100;
/** The most resources of a page. */
export const countMax = 200;
/** The resources that are read at once for a filter without an index. */
const readAtOnce = 100;
/** The most members in a reply. A page ends before the group that would exceed it, but has at least one group. */
const membersMax = 20_000;

/** Lists the resources of some kinds that match a filter, by pages. */
export async function listResources(
  request: Request,
  sources: readonly ResourceSource[],
  query: ListQuery,
  links: LinkBase,
): Promise<ResourceList> {
  const startIndex = Math.max(1, query.startIndex ?? 1);
  const count = Math.min(countMax, Math.max(0, query.count ?? defaultCount));
  const filter = query.filter ? parseFilter(query.filter) : undefined;
  const budget = new ComparisonBudget('tooMany', 'The filter is too much work: use fewer conditions.');
  const all = await Promise.all(
    sources.map(async (source): Promise<Match[]> => {
      if (filter !== undefined) return findMatches(request, source, filter, links, budget);
      return (await source.listIds(request)).map((id) => ({ source, id }));
    }),
  );
  const matches = all.flat();
  const page = matches.slice(startIndex - 1, startIndex - 1 + count);
  const loaded = await loadMissing(request, page, links);
  const resources = limitMembers(
    loaded.map(({ source, stored }) => presentResource(source.kind, stored, links, query)),
  );
  return { totalResults: matches.length, startIndex, itemsPerPage: resources.length, Resources: resources };
}

/** A resource that a query has found, with its content if a filter had to read it. */
interface Match {
  readonly source: ResourceSource;
  readonly id: number;
  readonly stored?: StoredResource;
}

async function loadMissing(request: Request, page: readonly Match[], links: LinkBase): Promise<Required<Match>[]> {
  const bySource = Map.groupBy(page, ({ source }) => source);
  const all = await Promise.all(
    [...bySource].map(async ([source, matches]) => {
      const missing = matches.flatMap(({ id, stored }) => (stored === undefined ? [id] : []));
      const loaded = new Map((await source.load(request, missing, links)).map((stored) => [stored.id, stored]));
      return matches.flatMap(({ id, stored = loaded.get(id) }) =>
        stored === undefined ? [] : [{ source, id, stored }],
      );
    }),
  );
  return all.flat();
}

function limitMembers(shown: readonly ScimResource[]): readonly ScimResource[] {
  let members = 0;
  const end = shown.findIndex((resource, index) => {
    members += Array.isArray(resource.members) ? resource.members.length : 0;
    return index > 0 && members > membersMax;
  });
  return end === -1 ? shown : shown.slice(0, end);
}

/** Finds the matches of a filter, by an index if possible. Otherwise, it reads all resources of the kind. */
async function findMatches(
  request: Request,
  source: ResourceSource,
  filter: Filter,
  links: LinkBase,
  budget: ComparisonBudget,
): Promise<Match[]> {
  const candidates = await findCandidates(request, source, filter);
  const isMatch = testOf(source.kind, filter);
  const cost = filterCostOf(filter);
  const matches: Match[] = [];
  for (let start = 0; start < candidates.length; start += readAtOnce) {
    const loaded = await source.load(request, candidates.slice(start, start + readAtOnce), links);
    const matching = loaded.filter((stored) => {
      const presented = presentResource(source.kind, stored, links);
      budget.take(cost * (1 + (Array.isArray(presented.members) ? presented.members.length : 0)));
      return isMatch(presented);
    });
    matches.push(...matching.map((stored) => ({ source, id: stored.id, stored })));
  }
  return matches;
}

async function findCandidates(request: Request, source: ResourceSource, filter: Filter): Promise<readonly number[]> {
  for (const required of listRequiredValues(source.kind, filter)) {
    const ids = await source.find(request, required);
    if (ids !== undefined) return ids;
  }
  return source.listIds(request);
}
