import { type Author, systemUser } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { EventType } from '../events/event-schema.ts';
import type { ReleasePlanView } from '../features/plans/plan-schema.ts';
import { addEmptyLists } from '../features/strategies/strategy-input-schema.ts';
import type { StrategyContent } from '../features/strategies/strategy-schema.ts';
import type { Decider } from '../identity/caller.ts';
import type { TemplateContent } from '../release-plans/templates.ts';
import { padId } from '../store/client/definition.ts';
import { itemBytesMax } from '../store/item.ts';
import { sha256 } from '../values/sha256.ts';
import type { Action, ChangeInput } from './change-input-schema.ts';
import type { RequestState } from './change-request-schema.ts';

/** A requested change. */
export interface RequestedChange {
  readonly id: number;
  /** The name of the feature; null for a change of a segment. */
  readonly feature: string | null;
  readonly action: Action;
  readonly payload?: unknown;
  /** The old value: the changed part of the feature, or the segment; missing for actions that depend on none. */
  readonly base?: unknown;
  /** Digests of the constraints of the segments that the strategy uses, by segment id: they are approved with the change. */
  readonly uses?: Readonly<Record<string, string>>;
  /** The default strategy that the feature gets when this change switches it on: it is approved with the change. */
  readonly adds?: StrategyContent;
  /** The content of the release template when the change was added: the plan is a copy of it, and it is approved with the change. */
  readonly template?: TemplateContent;
  /** The release plan when the change was added, for a change of a plan. Views show it. */
  readonly plan?: ReleasePlanView;
  readonly createdBy: Author;
  readonly createdAt: string;
}

/** Tells whether a change switches a feature on, which may give it the default strategy. */
export function isSwitchingOn({ action, payload }: Pick<RequestedChange, 'action' | 'payload'>): boolean {
  return action === 'updateEnabled' && (payload as { readonly enabled: boolean }).enabled;
}

/** Tells whether a change switches a feature on and enables all its disabled strategies. */
export function isActivating(change: Pick<RequestedChange, 'action' | 'payload'>): boolean {
  return isSwitchingOn(change) && Object(change.payload).shouldActivateDisabledStrategies === true;
}

/** An approval or rejection of the content that a request had at that time. */
export interface Review {
  readonly createdBy: Author;
  readonly createdAt: string;
  readonly contentHash: string;
  /** The id of the user who created the token of the review, if it is another user. */
  readonly tokenMadeBy?: number;
  /** The hash of a token without a user: the review is valid only while the token exists. */
  readonly tokenHash?: string;
}

interface Comment {
  readonly id: number;
  readonly text: string;
  readonly createdBy: Author;
  readonly createdAt: string;
}

/** The time when a request will be applied, and the person with whose rights. */
export interface Schedule {
  readonly scheduledAt: string;
  readonly status: 'pending' | 'failed' | 'suspended';
  readonly reason?: string;
  readonly failureReason?: string;
  readonly scheduledBy: Decider;
  readonly contentHash: string;
}

/** A permission for one person to change things directly in an emergency; others review the changes afterwards. */
export interface Override {
  readonly reason: string;
  readonly from: string;
  readonly until: string;
  /** The person who ended the override early, or vetoed it before it began. */
  readonly endedBy?: Author;
  readonly reviewedBy?: Author;
  readonly reviewedAt?: string;
}

/** Changes in an environment of a project that others have to approve before they are applied. */
export interface ChangeRequest {
  readonly id: number;
  readonly title?: string;
  /** The reason that an agent gives. */
  readonly reason?: string;
  readonly project: string;
  readonly environment: string;
  readonly createdBy: Author;
  readonly createdAt: string;
  /** The slot that this request takes among the limited number of open proposals of its agent. Only requests by agents have it. */
  readonly place?: number;
  readonly state: RequestState;
  /** The number of required approvals when the request was created. */
  readonly minApprovals: number;
  /** The changes, in the order in which they are applied. */
  readonly changes: readonly RequestedChange[];
  /** The highest id of any change or comment so far. */
  readonly lastId: number;
  /** The ids of all users who added or edited a change, and of the users who created the tokens for it. */
  readonly contributors: readonly number[];
  readonly contentHash: string;
  /** All approvals; those of an earlier content are not valid. */
  readonly approvals: readonly Review[];
  readonly rejections: readonly Review[];
  readonly comments: readonly Comment[];
  /** The ids of the users who are asked for a review. */
  readonly reviewers: readonly number[];
  /** The ids of present and earlier reviewers who got a mail about it. */
  readonly asked?: readonly number[];
  /** The last time when the request entered each state. */
  readonly stateTimestamps: Readonly<Partial<Record<RequestState, string>>>;
  readonly schedule?: Schedule;
  /** The time when the request is cancelled, unless it is applied, scheduled or closed before. */
  readonly expiresAt?: string;
  /** Present for an override: the request has no changes of its own; the author's direct changes are stored in other items. */
  readonly override?: Override;
  /** The names of the parts that were applied so far, for a request that takes several transactions. */
  readonly applied?: readonly string[];
}

/** Tells whether a request is visible to others than its author: it was sent to review, or it is an override. */
export const isVisibleToOthers = ({
  state,
  stateTimestamps,
  override,
}: Pick<ChangeRequest, 'state' | 'stateTimestamps' | 'override'>) =>
  override !== undefined || (state !== 'Draft' && stateTimestamps['In review'] !== undefined);

/** The states in which the author can edit a request. An author has at most one such request per environment. */
const pendingStates: ReadonlySet<RequestState> = new Set(['Draft', 'In review', 'Approved']);
const closedStates: ReadonlySet<RequestState> = new Set(['Applied', 'Rejected', 'Cancelled']);

export const isPending = ({ state }: Pick<ChangeRequest, 'state'>) => pendingStates.has(state);

/** Tells whether a request is an override that nobody has reviewed yet. */
export const awaitsReview = ({ state, override }: Pick<ChangeRequest, 'state' | 'override'>) =>
  state === 'Applied' && override !== undefined && override.reviewedAt === undefined;

export const isClosed = (changeRequest: Pick<ChangeRequest, 'state' | 'override'>) =>
  closedStates.has(changeRequest.state) && !awaitsReview(changeRequest);

/** Returns the time when a request is cancelled; undefined for the draft of a person, or a scheduled or closed request. */
export function expiryOf({
  state,
  expiresAt,
  createdBy,
}: Pick<ChangeRequest, 'state' | 'expiresAt' | 'createdBy'>): string | undefined {
  const isExpiring =
    state === 'In review' || state === 'Approved' || (state === 'Draft' && createdBy.agent !== undefined);
  return isExpiring ? expiresAt : undefined;
}

/** The number of days after which a proposal of an agent is cancelled, unless the settings have another number. */
export const proposalExpiryDays = 30;

/** Returns the time some days later. */
export function addDays(at: string, days: number): string {
  return new Date(Date.parse(at) + days * 24 * 60 * 60 * 1_000).toISOString();
}

/** Returns a person as a request shows them: with their full name, if they have one, and with the agent that acts for them. */
export function personOf({ id, name, fullName = name, agent }: Author): Author {
  return { id, name: fullName, ...(agent && { agent }) };
}

/** Returns the key of an author. All admin tokens act as one user, so their key has the name of the token. */
export function authorKey({ id, name }: Author): string {
  return id > 0 ? padId(id) : `${id}#${name}`;
}

/** Tells whether something is by an author. A person is the author of what their agents propose; an agent, only of its own proposals. */
export function isBy(author: Author, { createdBy }: { readonly createdBy: Author }): boolean {
  const { agent } = author;
  return authorKey(author) === authorKey(createdBy) && (agent === undefined || agent.token === createdBy.agent?.token);
}

/** A participant of a request, and the user who created their token, if it is another user. */
export type Participant = Author & { readonly tokenMadeBy?: number };

/** Returns the ids of a participant and of the user who created their token. */
export const personIdsOf = ({ id, tokenMadeBy = id }: Omit<Participant, 'name'>) => [id, tokenMadeBy];

/** Tells whether the same person acts as two participants. */
export function isSamePerson(a: Participant, b: Participant): boolean {
  return authorKey(a) === authorKey(b) || personIdsOf(a).some((id) => id > 0 && personIdsOf(b).includes(id));
}

/** Returns the parts of changes that an approval refers to, in the order of the changes. */
export function toApprovedContent(changes: readonly RequestedChange[]) {
  return changes.map(({ action, feature, payload = null, uses, adds, template }) => ({
    ...{ action, feature, payload, uses, adds, template },
  }));
}

/** Returns the digest of the content of a request: its environment and its changes, in their order. */
export function contentHashOf(environment: string, changes: readonly RequestedChange[]): string {
  return sha256(JSON.stringify([environment, toApprovedContent(changes)]));
}

/** The most bytes of all comments of a request. */
export const commentsBytesMax = 64 * 1024;
/**
 * The most bytes of all changes of a request. It leaves room in the item for comments and reviews, and in a transaction
 * for the suspension of all schedules that refer to one thing.
 */
export const changesBytesMax = itemBytesMax - commentsBytesMax - 128 * 1024;

/** Returns the request in another state. If it is closed after a part of it was applied, a comment names this part. */
export function withState(
  { schedule: _schedule, ...before }: ChangeRequest,
  state: RequestState,
  at: string,
): ChangeRequest {
  const after = { ...before, state, stateTimestamps: { ...before.stateTimestamps, [state]: at } };
  const { applied, comments } = after;
  if (applied === undefined || !closedStates.has(state)) return after;
  const names = applied.slice(0, listedPartsMax).join(', ');
  const further = applied.length > listedPartsMax ? `, and ${applied.length - listedPartsMax} more` : '';
  const text = `A part of this request was applied before and is not undone: ${names}${further}.`;
  const comment = { id: before.lastId + 1, text, createdBy: systemUser, createdAt: at };
  return { ...after, comments: [...comments, comment], lastId: comment.id };
}

/** The most parts that the comment names; the event names all of them. */
const listedPartsMax = 10;

/** Returns the approvals of the present content. */
export function approvalsOf({ approvals, contentHash }: Pick<ChangeRequest, 'approvals' | 'contentHash'>): Review[] {
  return approvals.filter((approval) => approval.contentHash === contentHash);
}

/** Builds an event about a request. If only a part of the request is applied, the event names this part. */
export function buildRequestEvent(
  type: EventType,
  changeRequest: ChangeRequest,
  data: Readonly<Record<string, unknown>> = {},
): NewEvent {
  const { id, title, project, environment, applied } = changeRequest;
  return {
    type,
    project,
    environment,
    data: {
      changeRequestId: id,
      ...(title !== undefined && isVisibleToOthers(changeRequest) && { changeRequestTitle: title }),
      ...(applied !== undefined && { applied }),
      ...data,
    },
    changeRequest: id,
  };
}

/** Builds an event about a change of a request. For a draft it lacks the content, which the event of review has. */
export function buildChangeEvent(
  type: 'change-added' | 'change-edited' | 'change-discarded',
  request: ChangeRequest,
  { feature, action, payload }: Pick<RequestedChange, 'feature' | 'action' | 'payload'>,
): NewEvent {
  const event = buildRequestEvent(type, request, {
    action,
    ...(payload !== undefined && request.state !== 'Draft' && { payload }),
  });
  return { ...event, ...(feature !== null && { featureName: feature }) };
}

/** Builds a change from its input. Omitted lists of an update become empty lists, so that approvers see the effect. */
export function buildChange(
  input: ChangeInput,
  id: number,
  base: unknown,
  author: Author,
  at: string,
): RequestedChange {
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
    createdBy: personOf(author),
    createdAt: at,
  };
}

/** Returns a request with another status of its schedule. */
export function withStatus(
  changeRequest: ChangeRequest,
  status: Pick<Schedule, 'status' | 'reason' | 'failureReason'>,
) {
  return changeRequest.schedule === undefined
    ? changeRequest
    : { ...changeRequest, schedule: { ...changeRequest.schedule, ...status } };
}

/** Groups changes by feature, without those of segments. */
export function groupChangesByFeature<T extends { readonly feature: string | null }>(changes: readonly T[]) {
  return Map.groupBy(
    changes.filter(({ feature }) => feature !== null),
    ({ feature }) => feature as string,
  );
}
