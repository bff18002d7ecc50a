import type { Caller } from '../../people/rights/caller.ts';
import { listProjectIds, loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import type { ChangeRequestSearch } from '../change-request-schema.ts';
import { listClosed, listOpen, type Summary } from '../change-requests.ts';
import { asTheyStand, listedMax } from './lists.ts';
import { listedRequestView } from './views.ts';

/** Searches the requests of all projects that the caller sees, of each the newest ones. */
export async function searchChangeRequests(request: Request, caller: Caller, search: ChangeRequestSearch) {
  const { state, createdBy, requestedApproverId, offset, limit, sortBy = 'createdAt', sortOrder = 'desc' } = search;
  const wanted = state?.values[0];
  const ids = await listProjectIds(request);
  const lists = await Promise.all(
    ids.map((project) =>
      request.store.limiter(() =>
        Promise.all([
          wanted === 'closed' ? [] : openNow(request, caller, project),
          wanted === 'open' ? [] : listClosed(request, caller, project, listedMax),
        ]),
      ),
    ),
  );
  const found = lists
    .flat(2)
    .filter((one) => createdBy === undefined || createdBy.values.includes(String(one.createdBy.id)))
    .filter(
      ({ reviewers }) =>
        requestedApproverId === undefined || reviewers.some((id) => requestedApproverId.values.includes(String(id))),
    )
    .toSorted((a, b) => order(a, b, sortBy) * (sortOrder === 'asc' ? 1 : -1) || b.id - a.id);
  return { changeRequests: found.slice(offset, offset + limit).map(foundView), total: found.length };
}

async function openNow(request: Request, caller: Caller, project: string): Promise<Summary[]> {
  const open = await listOpen(request, caller, project);
  const mayLack = open.some(({ state }) => state === 'Approved');
  return mayLack ? asTheyStand(request, open, loadProject(request, project)) : open;
}

/** Properties that a search sorts by; it ignores others. */
const sortable = ['createdAt', 'title', 'project', 'environment', 'state'] as const;

function order(a: Summary, b: Summary, by: string): number {
  const property = sortable.find((each) => each === by) ?? 'createdAt';
  const [first, second] = [a[property] ?? '', b[property] ?? ''];
  return first < second ? -1 : Number(first > second);
}

function foundView(one: Summary) {
  const { id, title, project, environment, createdAt, createdBy, state, schedule, override } = listedRequestView(one);
  return {
    id,
    ...(title !== undefined && { title }),
    project,
    environment,
    createdAt,
    createdBy,
    features: [...new Set(one.changes.flatMap(({ feature }) => feature ?? []))],
    segments: [...new Set(one.changes.flatMap(({ feature, name }) => (feature === null && name ? [name] : [])))],
    state,
    ...(schedule && { schedule }),
    ...(override && { override }),
  };
}
