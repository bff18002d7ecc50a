import type { Effects } from '../entity/change.ts';
import type { Feature } from '../features/feature.ts';
import { protectedEnvironments } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { baseOf, inputOf, isOfSegment } from './base.ts';
import { type ChangeRequest, type RequestedChange, requestEvent, withStatus } from './change-request.ts';
import { changeRequests, listScheduledIn, requestUpdated } from './change-requests.ts';
import { driftOf } from './differences.ts';

/**
 * Reads the requests under a schedule that change a feature, before somebody changes it directly. It asks nothing of a
 * project in which no change needs approval.
 */
export async function loadScheduledOn(
  request: Request,
  { name, project }: Pick<Feature, 'name' | 'project'>,
): Promise<Versioned<ChangeRequest>[]> {
  if (protectedEnvironments(request, project).size === 0) return [];
  const listed = await listScheduledIn(request, project);
  const ids = listed.filter(({ changes }) => changes.some(({ feature }) => feature === name)).map(({ id }) => id);
  const found = await changeRequests.someVersioned(request, ids);
  return [...found.values()].filter(({ value }) => value.state === 'Scheduled' && value.schedule?.status === 'pending');
}

/**
 * Returns the effects of suspending the schedules of requests whose changes were made on what a direct change of a feature
 * replaces: they are part of its transaction.
 */
export function suspensions(scheduled: readonly Versioned<ChangeRequest>[], before: Feature, after: Feature): Effects {
  const effects = scheduled.map((one) => {
    const reason = reasonAgainst(one.value, before, after);
    if (reason === undefined) return { writes: [], events: [] };
    const suspended = withStatus(one.value, { status: 'suspended', reason });
    return requestUpdated(one, suspended, [requestEvent('change-request-schedule-suspended', suspended, { reason })]);
  });
  return { writes: effects.flatMap(({ writes }) => writes), events: effects.flatMap(({ events }) => events) };
}

function reasonAgainst({ changes, environment }: ChangeRequest, before: Feature, after: Feature): string | undefined {
  if (after.archivedAt !== null && before.archivedAt === null) return `The feature "${after.name}" was archived.`;
  if (after.project !== before.project) return `The feature "${after.name}" was moved to another project.`;
  const own = changes.filter(({ feature }) => feature === after.name);
  return own
    .map((change) => reasonAgainstChange(change, before, after, environment))
    .find((reason) => reason !== undefined);
}

function reasonAgainstChange(
  change: RequestedChange,
  before: Feature,
  after: Feature,
  environment: string,
): string | undefined {
  const input = inputOf(change);
  // A change of other environments has not read this one.
  if (isOfSegment(input) || !after.environments.has(environment)) return undefined;
  const [old, next] = [baseOf(input, before, environment), baseOf(input, after, environment)];
  if (change.base === undefined || driftOf(change, old).length > 0) return undefined;
  if (next === undefined) return `The strategy "${(change.payload as { readonly id?: string }).id}" was deleted.`;
  return driftOf(change, next).length > 0 ? reasons[change.action] : undefined;
}

const reasons: Partial<Record<RequestedChange['action'], string>> = {
  updateEnabled: 'The feature was switched on or off.',
  updateStrategy: 'The strategy was updated.',
  deleteStrategy: 'The strategy was updated.',
  reorderStrategy: 'The strategies were put in another order.',
  patchVariant: 'The variants were updated.',
  addDependency: 'The dependencies were changed.',
  deleteDependency: 'The dependencies were changed.',
};
