import { type Author, systemUser } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { EventType } from '../events/event-schema.ts';
import { addEmptyLists } from '../features/strategies/strategy-input-schema.ts';
import type { StrategyContent } from '../features/strategies/strategy-schema.ts';
import type { Decider } from '../identity/caller.ts';
import { padId } from '../store/client/definition.ts';
import { itemBytesMax } from '../store/item.ts';
import { sha256 } from '../values/sha256.ts';
import type { Action, ChangeInput } from './change-input-schema.ts';
import type { RequestState } from './change-request-schema.ts';

/** A change that a request asks for. */
export interface RequestedChange {
  readonly id: number;
  /** null for a change of a segment. */
  readonly feature: string | null;
  readonly action: Action;
  readonly payload?: unknown;
  /** The part of the feature, or the segment, that it was made on; missing where it rests on none. */
  readonly base?: unknown;
  /** Digests of the constraints of the segments that a strategy is to use, by their ids: they are approved with it. */
  readonly uses?: Readonly<Record<string, string>>;
  /** The default strategy that a feature gets with it, which is switched on without one: it is approved, too. */
  readonly adds?: StrategyContent;
  readonly createdBy: Author;
  readonly createdAt: string;
}

/** Tells whether a change switches a feature on, which may give it the default strategy. */
export function isSwitchingOn({ action, payload }: Pick<RequestedChange, 'action' | 'payload'>): boolean {
  return action === 'updateEnabled' && (payload as { readonly enabled: boolean }).enabled;
}

/** Tells whether a change enables all disabled strategies of a feature besides. */
export function isActivating(change: Pick<RequestedChange, 'action' | 'payload'>): boolean {
  return isSwitchingOn(change) && Object(change.payload).shouldActivateDisabledStrategies === true;
}

/** A person's yes or no to the content that a request had then. */
export interface Review {
  readonly createdBy: Author;
  readonly createdAt: string;
  readonly contentHash: string;
  /** The user who made the token by which it came, where they are somebody else. */
  readonly tokenMadeBy?: number;
  /** Hash of the token, where it acts for no user: the review counts only while the token exists. */
  readonly tokenHash?: string;
}

interface Comment {
  readonly id: number;
  readonly text: string;
  readonly createdBy: Author;
  readonly createdAt: string;
}

/** Time at which the content of a request is to be applied, and the one by whose right. */
export interface Schedule {
  readonly scheduledAt: string;
  readonly status: 'pending' | 'failed' | 'suspended';
  readonly reason?: string;
  readonly failureReason?: string;
  readonly scheduledBy: Decider;
  readonly contentHash: string;
}

/** Leave for one person to change directly in an emergency: others look at what was changed afterwards. */
export interface Override {
  readonly reason: string;
  readonly from: string;
  readonly until: string;
  /** The one who has ended it early, or vetoed it before it began. */
  readonly endedBy?: Author;
  readonly reviewedBy?: Author;
  readonly reviewedAt?: string;
}

/** Changes in an environment of a project that others have to approve before they are made. */
export interface ChangeRequest {
  readonly id: number;
  readonly title?: string;
  readonly project: string;
  readonly environment: string;
  readonly createdBy: Author;
  readonly createdAt: string;
  readonly state: RequestState;
  /** The approvals that it needs, as when it was made. */
  readonly minApprovals: number;
  /** In the order in which they are made. */
  readonly changes: readonly RequestedChange[];
  /** The highest id of a change or a comment so far. */
  readonly lastId: number;
  /** All who have added or edited a change, and those who have made the tokens by which they did. */
  readonly contributors: readonly number[];
  readonly contentHash: string;
  /** Those for an earlier content say nothing of this one. */
  readonly approvals: readonly Review[];
  readonly rejections: readonly Review[];
  readonly comments: readonly Comment[];
  /** The users who are asked for a review. */
  readonly reviewers: readonly number[];
  /** Those of them, and of earlier ones, who were mailed so. */
  readonly asked?: readonly number[];
  /** Times at which it came into each state, the last time. */
  readonly stateTimestamps: Readonly<Partial<Record<RequestState, string>>>;
  readonly schedule?: Schedule;
  /** The moment at which it is cancelled, unless it is applied, scheduled or closed before. */
  readonly expiresAt?: string;
  /** The changes are then those that its author has made under it, which lie beside the request. */
  readonly override?: Override;
  /** The features that are changed already, of a request that takes several transactions. */
  readonly applied?: readonly string[];
}

/** Tells whether others than its author may know of a request: it came to review once, or is an override. */
export const isPublic = ({
  state,
  stateTimestamps,
  override,
}: Pick<ChangeRequest, 'state' | 'stateTimestamps' | 'override'>) =>
  override !== undefined || (state !== 'Draft' && stateTimestamps['In review'] !== undefined);

/** States in which the author can still edit a request; one author has at most one such request in an environment. */
const pendingStates: ReadonlySet<RequestState> = new Set(['Draft', 'In review', 'Approved']);
const closedStates: ReadonlySet<RequestState> = new Set(['Applied', 'Rejected', 'Cancelled']);

export const isPending = ({ state }: Pick<ChangeRequest, 'state'>) => pendingStates.has(state);

/** Tells an override that nobody has looked at yet. */
export const awaitsReview = ({ state, override }: Pick<ChangeRequest, 'state' | 'override'>) =>
  state === 'Applied' && override !== undefined && override.reviewedAt === undefined;

export const isClosed = (one: Pick<ChangeRequest, 'state' | 'override'>) =>
  closedStates.has(one.state) && !awaitsReview(one);

/** Returns the moment at which a request is cancelled; undefined for one that waits for its author or its time. */
export function requestExpiry({ state, expiresAt }: Pick<ChangeRequest, 'state' | 'expiresAt'>): string | undefined {
  return state === 'In review' || state === 'Approved' ? expiresAt : undefined;
}

/** Returns somebody as a request names them to people: by their full name, where they have one. */
export function personOf({ id, name, fullName = name }: Author): Author {
  return { id, name: fullName };
}

/** Identifies an author: all admin tokens act as one user, under their names. */
export function authorKey({ id, name }: Author): string {
  return id > 0 ? padId(id) : `${id}#${name}`;
}

export function isBy(author: Author, { createdBy }: { readonly createdBy: Author }): boolean {
  return authorKey(author) === authorKey(createdBy);
}

/** Somebody who has a part in a request, and the user who made the token by which they act, where that is somebody else. */
export type Party = Author & { readonly tokenMadeBy?: number };

/** Returns the ids of those who answer for what somebody does. */
export const peopleBehind = ({ id, tokenMadeBy = id }: Omit<Party, 'name'>) => [id, tokenMadeBy];

/** Tells whether the same person is behind two parties; all admin tokens act as one user, under their names. */
export function isSamePerson(a: Party, b: Party): boolean {
  return authorKey(a) === authorKey(b) || peopleBehind(a).some((id) => id > 0 && peopleBehind(b).includes(id));
}

/** Returns the content that is approved: all that changes ask for, in their order. */
export function toApprovedContent(changes: readonly RequestedChange[]) {
  return changes.map(({ action, feature, payload = null, uses, adds }) => ({ action, feature, payload, uses, adds }));
}

/** Returns the digest of what a request asks for: its environment and its changes, in their order. */
export function contentHashOf(environment: string, changes: readonly RequestedChange[]): string {
  return sha256(JSON.stringify([environment, toApprovedContent(changes)]));
}

/** The most bytes that the comments of a request take: they leave room for its changes, and these for them. */
export const commentsBytesMax = 64 * 1024;
/**
 * The most bytes that the changes of a request take, which leaves room to decide on it and to end it, and to suspend as
 * many requests in one transaction as may touch one thing.
 */
export const changesBytesMax = itemBytesMax - commentsBytesMax - 128 * 1024;

/** Returns the request in another state. One that is closed while a part of it is applied says so to its readers. */
export function inState(
  { schedule: _schedule, ...before }: ChangeRequest,
  state: RequestState,
  at: string,
): ChangeRequest {
  const after = { ...before, state, stateTimestamps: { ...before.stateTimestamps, [state]: at } };
  const { applied, comments } = after;
  if (applied === undefined || !closedStates.has(state)) return after;
  const named = applied.slice(0, namedMax).join(', ');
  const further = applied.length > namedMax ? `, and ${applied.length - namedMax} more` : '';
  const text = `A part of this was applied before, and stays as it is: ${named}${further}.`;
  const comment = { id: before.lastId + 1, text, createdBy: systemUser, createdAt: at };
  return { ...after, comments: [...comments, comment], lastId: comment.id };
}

/** The most parts that a comment names; the event has them all. */
const namedMax = 10;

/** Returns the approvals of the content as it is now. */
export function approvalsOf({ approvals, contentHash }: Pick<ChangeRequest, 'approvals' | 'contentHash'>): Review[] {
  return approvals.filter((approval) => approval.contentHash === contentHash);
}

/** Returns an event about a request, with what is applied of it where that is a part. */
export function requestEvent(
  type: EventType,
  one: ChangeRequest,
  data: Readonly<Record<string, unknown>> = {},
): NewEvent {
  const { id, title, project, environment, applied } = one;
  return {
    type,
    project,
    environment,
    data: {
      changeRequestId: id,
      ...(title !== undefined && isPublic(one) && { changeRequestTitle: title }),
      ...(applied !== undefined && { applied }),
      ...data,
    },
    changeRequest: id,
  };
}

/** Returns an event about a change of a request; without its content while that is a draft; the event of sending it
 * to review has all of it. */
export function changeEvent(
  type: 'change-added' | 'change-edited' | 'change-discarded',
  request: ChangeRequest,
  { feature, action, payload }: Pick<RequestedChange, 'feature' | 'action' | 'payload'>,
): NewEvent {
  const about = requestEvent(type, request, {
    action,
    ...(payload !== undefined && request.state !== 'Draft' && { payload }),
  });
  return { ...about, ...(feature !== null && { featureName: feature }) };
}

/** Returns a change as the store holds it: it says what it empties, for those who approve it. */
export function newChange(input: ChangeInput, id: number, base: unknown, by: Author, at: string): RequestedChange {
  const { action } = input;
  let { payload } = input;
  if (action === 'updateStrategy') payload = addEmptyLists(input.payload);
  if (action === 'updateSegment') payload = { project: null, ...input.payload };
  const isOfSegment = action === 'updateSegment' || action === 'deleteSegment';
  return {
    id,
    feature: isOfSegment ? null : (input.feature ?? null),
    action,
    ...(payload != null && { payload }),
    ...(base !== undefined && { base }),
    createdBy: personOf(by),
    createdAt: at,
  };
}

/** Returns a scheduled request with another status of its schedule. */
export function withStatus(one: ChangeRequest, status: Pick<Schedule, 'status' | 'reason' | 'failureReason'>) {
  return one.schedule === undefined ? one : { ...one, schedule: { ...one.schedule, ...status } };
}

/** Returns the changes of each feature; those of segments are of none. */
export function changesByFeature<T extends { readonly feature: string | null }>(changes: readonly T[]) {
  return Map.groupBy(
    changes.filter(({ feature }) => feature !== null),
    ({ feature }) => feature as string,
  );
}
