import { type Author, systemUser } from '../../events/actor.ts';
import {
  approvalsOf,
  type ChangeRequest,
  expiryOf,
  groupChangesByFeature,
  type Override,
  type RequestedChange,
  type Review,
  type Schedule,
} from '../change-request.ts';
import type { ListedChangeRequest, ShownChangeRequest } from '../change-request-schema.ts';
import type { Summary } from '../change-requests.ts';
import type { RequestPlan } from '../plan/plan.ts';

/** Returns a person as Unleash's admin UI reads them; it shows the user name, which here is the display name. */
export const toPersonView = ({ id, name, agent }: Author) => ({
  id,
  username: id === systemUser.id ? 'Flagstaff' : name,
  imageUrl: '',
  ...(agent && { agent }),
});

const authorshipOf = ({ createdBy, createdAt }: { readonly createdBy: Author; readonly createdAt: string }) => ({
  createdBy: toPersonView(createdBy),
  createdAt,
});

const toReviewView = (review: Review) => ({ ...authorshipOf(review), contentHash: review.contentHash });

/** A change of a request or of an override, as views show it. */
export type ShownChange = Omit<RequestedChange, 'action'> & { readonly action: string };

/** Returns the scheduled requests that change the same feature or segment as a change. */
export type ScheduledUses = (change: ShownChange) => readonly Pick<Summary, 'id' | 'title'>[];

/** The actions whose views show the old value. */
const withSnapshot: ReadonlySet<string> = new Set([
  ...['updateStrategy', 'deleteStrategy', 'patchVariant', 'updateSegment', 'deleteSegment'],
]);

/**
 * Returns the view of a whole request.
 * @param plan the plan of its application; undefined for a closed request.
 */
export function toChangeRequestView(
  changeRequest: Omit<ChangeRequest, 'changes'> & { readonly changes: readonly ShownChange[] },
  plan?: RequestPlan,
  scheduledUses: ScheduledUses = () => [],
): ShownChangeRequest {
  const { changes } = changeRequest;
  const toConflict = (change: ShownChange) => {
    const message = plan?.conflicts.find((conflict) => conflict.change === change.id)?.message;
    // The admin UI adds a full stop.
    return message === undefined ? {} : { conflict: message.replace(/\.$/, '') };
  };
  const toChangeView = (change: ShownChange) => {
    const others = scheduledUses(change);
    return {
      id: change.id,
      action: change.action,
      ...toPayload(change),
      ...toConflict(change),
      ...(others.length > 0 && {
        scheduleConflicts: {
          changeRequests: others.map(({ id: other, title: name }) => ({ id: other, ...(name && { title: name }) })),
        },
      }),
      ...authorshipOf(change),
    };
  };
  const ofFeatures = groupChangesByFeature(changes);
  return {
    ...toOutline(changeRequest),
    features: [...ofFeatures].map(([name, own]) => {
      const added = own.find(({ adds }) => adds)?.adds;
      return {
        name,
        changes: own.map(toChangeView),
        ...(added !== undefined && { defaultChange: { action: 'addStrategy', payload: added } }),
      };
    }),
    segments: changes
      .filter(({ feature }) => feature === null)
      .map((change) => ({ ...toChangeView(change), name: segmentNameOf(change) })),
    rejections: changeRequest.rejections.map(toReviewView),
    comments: changeRequest.comments.map(({ id: commentId, text, ...by }) => ({
      id: commentId,
      text,
      ...authorshipOf(by),
    })),
  };
}

/** Returns the part of a view that lists show as well. */
function toOutline(changeRequest: Omit<ChangeRequest | Summary, 'changes'>) {
  const { id, reason, project, environment, createdAt, state, minApprovals, contentHash, schedule, override } =
    changeRequest;
  const expiresAt = expiryOf(changeRequest);
  return {
    id,
    ...toTitle(changeRequest),
    ...(reason !== undefined && { reason }),
    project,
    environment,
    createdBy: toPersonView(changeRequest.createdBy),
    createdAt,
    minApprovals,
    state,
    contentHash,
    approvals: approvalsOf(changeRequest).map(toReviewView),
    stateTimestamps: { ...changeRequest.stateTimestamps },
    ...(schedule && { schedule: toScheduleView(schedule) }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(override && { override: toOverrideView(override) }),
  };
}

/** Returns the title of a request. Without a title, a request other than a draft is named by its number. */
function toTitle({ id, title, state }: Pick<ChangeRequest, 'id' | 'title' | 'state'>): { readonly title?: string } {
  if (title !== undefined) return { title };
  return state === 'Draft' ? {} : { title: `Change request #${id}` };
}

function toPayload({ action, payload, base, plan, template }: ShownChange) {
  if (payload === undefined) return {};
  const old = plan ?? (/FeatureEnvSafeguard$/.test(action) ? base : undefined);
  if (old != null || template !== undefined)
    return {
      payload: { ...(payload as object), ...(old != null && { snapshot: old }), ...(template && { template }) },
    };
  if (base === undefined || !withSnapshot.has(action)) return { payload };
  return { payload: { ...(payload as object), snapshot: base } };
}

function segmentNameOf({ payload, base }: Pick<RequestedChange, 'payload' | 'base'>): string {
  const { name = '' } = { ...(base as { name?: string }), ...(payload as { name?: string }) };
  return name;
}

function toScheduleView({ scheduledBy: _by, contentHash: _hash, ...schedule }: Schedule) {
  return schedule;
}

function toOverrideView({ endedBy, reviewedBy, ...override }: Override) {
  return {
    ...override,
    ...(endedBy && { endedBy: toPersonView(endedBy) }),
    ...(reviewedBy && { reviewedBy: toPersonView(reviewedBy) }),
  };
}

/** Returns a request as the list of its project shows it. */
export function toListedRequest(changeRequest: Summary): ListedChangeRequest {
  const ofFeatures = groupChangesByFeature(changeRequest.changes);
  return {
    ...toOutline(changeRequest),
    features: [...ofFeatures].map(([name, changes]) => ({
      name,
      changes: changes.map((change) => ({ id: change.id, action: change.action, ...authorshipOf(change) })),
    })),
    segments: changeRequest.changes
      .filter(({ feature }) => feature === null)
      .map(({ id: changeId, action, name = '' }) => ({ id: changeId, action, name })),
    rejections: [],
    comments: [],
  };
}
