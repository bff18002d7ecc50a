import { searchEvents } from '../../events/event-log.ts';
import type { EventSearch, EventSearchResult } from '../../events/event-search-schema.ts';
import type { Request } from '../../request.ts';
import { segments } from '../../segments/segments.ts';
import type { ChangeRequest } from '../change-request.ts';
import type { Conflict } from '../plan/conflicts.ts';
import { findDrift } from '../plan/differences.ts';
import { toPersonView } from './views.ts';

/** The most events in which the cause of a conflict is looked for. */
const searchedMax = 50;

/**
 * Adds to conflicts who caused them and when. For a changed segment it adds its name and the differences of its content. Only
 * conflicts take further reads, and what the caller may not see is left out.
 */
export async function explainConflicts(
  request: Request,
  changeRequest: Pick<ChangeRequest, 'changes' | 'environment'>,
  conflicts: readonly Conflict[],
) {
  return Promise.all(
    conflicts.map(async (conflict) => {
      const { change: id, message, differences = [], segment, template } = conflict;
      const change = changeRequest.changes.find((each) => each.id === id);
      const findCause = async () => {
        if (change === undefined) return {};
        const { feature, createdAt } = change;
        if (segment !== undefined) return explainSegment(request, segment, createdAt);
        if (conflict.differences === undefined) return {};
        return nameCause(
          template === undefined
            ? await listFeatureChanges(request, feature, createdAt, changeRequest.environment)
            : await listTemplateChanges(request, template, createdAt),
        );
      };
      return { change: id, message, differences: [...differences], ...(await findCause()) };
    }),
  );
}

async function explainSegment(request: Request, id: number, since: string) {
  const [byId, updates] = await Promise.all([
    segments.findSome(request, [id]),
    searchSince(request, since, { type: { operator: 'IS', values: ['segment-updated'] } }),
  ]);
  const segment = byId.get(id);
  if (segment === undefined) return {};
  const ofSegment = updates.filter(({ data }) => data?.id === id);
  const before = ofSegment.at(-1)?.preData;
  const drift = before ? findDrift({ base: before, payload: before }, { ...ofSegment[0]?.data }) : [];
  const differences = drift.map(({ wanted: _wanted, ...others }) => others);
  return { segment: { id, name: segment.name }, ...nameCause(ofSegment), ...(drift.length > 0 && { differences }) };
}

async function listFeatureChanges(request: Request, feature: string | null, since: string, environment: string) {
  if (feature === null) return [];
  const events = await searchSince(request, since, { feature: { operator: 'IS', values: [feature] } });
  return events.filter(
    (event) =>
      (event.environment === null || event.environment === environment) &&
      /^(?:feature|strategy|release-plan|milestone-progression|safeguard)-/.test(event.type),
  );
}

async function listTemplateChanges(request: Request, template: string, since: string) {
  const updates = await searchSince(request, since, {
    type: { operator: 'IS', values: ['release-plan-template-updated'] },
  });
  return updates.filter(({ data }) => data?.id === template);
}

/** Searches events since a change was requested, newest first. */
async function searchSince(
  request: Request,
  since: string,
  filters: Pick<EventSearch, 'type' | 'feature'>,
): Promise<EventSearchResult[]> {
  const from = { operator: 'IS' as const, values: [since] };
  const { events } = await searchEvents(request, { ...filters, from, offset: 0, limit: searchedMax });
  return events;
}

function nameCause([last]: readonly EventSearchResult[]) {
  if (last === undefined) return {};
  const { createdBy: name, createdByUserId, createdAt } = last;
  return { changedBy: toPersonView({ id: createdByUserId ?? 0, name }), changedAt: createdAt };
}
