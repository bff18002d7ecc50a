import { type Author, systemUser } from '../../events/actor.ts';
import {
  approvalsOf,
  type ChangeRequest,
  changesByFeature,
  type Override,
  type RequestedChange,
  type Review,
  requestExpiry,
  type Schedule,
} from '../change-request.ts';
import type { ListedChangeRequest, ShownChangeRequest } from '../change-request-schema.ts';
import type { Summary } from '../change-requests.ts';
import type { RequestPlan } from '../plan/plan.ts';

/** Returns somebody as Unleash's admin UI reads them, which shows people by their user name: here by the name that they go by. */
export const person = ({ id, name }: Author) => ({
  id,
  username: id === systemUser.id ? 'Flagstaff' : name,
  imageUrl: '',
});

const said = ({ createdBy, createdAt }: { readonly createdBy: Author; readonly createdAt: string }) => ({
  createdBy: person(createdBy),
  createdAt,
});

const reviewView = (review: Review) => ({ ...said(review), contentHash: review.contentHash });

/** A change as a view shows it, of a request or of an override. */
export type ShownChange = Omit<RequestedChange, 'action'> & { readonly action: string };

/** Requests that are scheduled, by what they change: features, strategies and segments. */
export type ScheduledUses = (change: ShownChange) => readonly Pick<Summary, 'id' | 'title'>[];

/** Actions that show what they were made on. */
const withSnapshot: ReadonlySet<string> = new Set([
  ...['updateStrategy', 'deleteStrategy', 'patchVariant', 'updateSegment', 'deleteSegment'],
]);

/**
 * Returns a request with all that it holds.
 * @param plan what it would do now, where that is known.
 */
export function changeRequestView(
  one: Omit<ChangeRequest, 'changes'> & { readonly changes: readonly ShownChange[] },
  plan?: RequestPlan,
  scheduledUses: ScheduledUses = () => [],
): ShownChangeRequest {
  const { changes } = one;
  const conflictOf = (change: ShownChange) => {
    const message = plan?.conflicts.find((each) => each.change === change.id)?.message;
    // The admin UI puts a full stop behind it.
    return message === undefined ? {} : { conflict: message.replace(/\.$/, '') };
  };
  const shown = (change: ShownChange) => {
    const others = scheduledUses(change);
    return {
      id: change.id,
      action: change.action,
      ...payloadOf(change),
      ...conflictOf(change),
      ...(others.length > 0 && {
        scheduleConflicts: {
          changeRequests: others.map(({ id: other, title: name }) => ({ id: other, ...(name && { title: name }) })),
        },
      }),
      ...said(change),
    };
  };
  const ofFeatures = changesByFeature(changes);
  return {
    ...outlineOf(one),
    features: [...ofFeatures].map(([name, own]) => {
      const added = own.find(({ adds }) => adds)?.adds;
      return {
        name,
        changes: own.map(shown),
        ...(added !== undefined && { defaultChange: { action: 'addStrategy', payload: added } }),
      };
    }),
    segments: changes
      .filter(({ feature }) => feature === null)
      .map((change) => ({ ...shown(change), name: segmentNameOf(change) })),
    rejections: one.rejections.map(reviewView),
    comments: one.comments.map(({ id: commentId, text, ...by }) => ({ id: commentId, text, ...said(by) })),
  };
}

/** Returns the part of a request that lists show as well. */
function outlineOf(one: Omit<ChangeRequest | Summary, 'changes'>) {
  const { id, project, environment, createdAt, state, minApprovals, contentHash, schedule, override } = one;
  const expiresAt = requestExpiry(one);
  return {
    id,
    ...titleOf(one),
    project,
    environment,
    createdBy: person(one.createdBy),
    createdAt,
    minApprovals,
    state,
    contentHash,
    approvals: approvalsOf(one).map(reviewView),
    stateTimestamps: { ...one.stateTimestamps },
    ...(schedule && { schedule: scheduleView(schedule) }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(override && { override: overrideOf(override) }),
  };
}

/** Returns the title of a request; one of no title goes by its number once it is no draft any more. */
function titleOf({ id, title, state }: Pick<ChangeRequest, 'id' | 'title' | 'state'>): { readonly title?: string } {
  if (title !== undefined) return { title };
  return state === 'Draft' ? {} : { title: `Change request #${id}` };
}

function payloadOf({ action, payload, base }: ShownChange) {
  if (payload === undefined) return {};
  if (base === undefined || !withSnapshot.has(action)) return { payload };
  return { payload: { ...(payload as object), snapshot: base } };
}

function segmentNameOf({ payload, base }: Pick<RequestedChange, 'payload' | 'base'>): string {
  const { name = '' } = { ...(base as { name?: string }), ...(payload as { name?: string }) };
  return name;
}

function scheduleView({ scheduledBy: _by, contentHash: _hash, ...shown }: Schedule) {
  return shown;
}

function overrideOf({ endedBy, reviewedBy, ...shown }: Override) {
  return {
    ...shown,
    ...(endedBy && { endedBy: person(endedBy) }),
    ...(reviewedBy && { reviewedBy: person(reviewedBy) }),
  };
}

/** Returns a request as the list of its project shows it. */
export function toListedRequest(one: Summary): ListedChangeRequest {
  const ofFeatures = changesByFeature(one.changes);
  return {
    ...outlineOf(one),
    features: [...ofFeatures].map(([name, changes]) => ({
      name,
      changes: changes.map((change) => ({ id: change.id, action: change.action, ...said(change) })),
    })),
    segments: one.changes
      .filter(({ feature }) => feature === null)
      .map(({ id: changeId, action, name = '' }) => ({ id: changeId, action, name })),
    rejections: [],
    comments: [],
  };
}
