import { codec } from '../entity/codec.ts';
import { type Effects, noEffects } from '../entity/effects.ts';
import { entity } from '../entity/entity.ts';
import { notFound } from '../errors.ts';
import type { Author } from '../events/actor.ts';
import type { Agent } from '../events/agent-schema.ts';
import type { NewEvent } from '../events/event.ts';
import { requireProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, queryPages, readItem } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import {
  authorKey,
  buildRequestEvent,
  type ChangeRequest,
  expiryOf,
  isBy,
  isClosed,
  isPending,
  isVisibleToOthers,
  type RequestedChange,
  withState,
  withStatus,
} from './change-request.ts';
import * as changeRequestKeys from './keys.ts';
import { buildMailWrites, withReviewRequests } from './mails/outbox.ts';
import { strategySegmentIdsOf } from './plan/base.ts';

export const changeRequests = entity<ChangeRequest, number>({
  kind: 'change request',
  idOf: ({ id }) => id,
  keyOf: changeRequestKeys.changeRequest,
  // Each project has its own lists.
  partitions: [],
  counter: 'change-request',
  codec: codec<ChangeRequest>({
    createdBy: true,
    changes: true,
    contributors: true,
    approvals: true,
    rejections: true,
    comments: true,
    reviewers: true,
    asked: true,
    stateTimestamps: true,
    schedule: true,
    override: true,
    applied: true,
  }),
  furtherUniqueValues(changeRequest) {
    const { project, environment, createdBy, place: slot } = changeRequest;
    const [property, value] = ['author', createdBy.name];
    // An agent can make several proposals for an environment, but has a limited number of open ones in all.
    if (createdBy.agent !== undefined && slot !== undefined) {
      const key = changeRequestKeys.proposal(createdBy.agent.token, slot);
      return isClosed(changeRequest) ? [] : [{ key, property, value }];
    }
    const key = changeRequestKeys.pendingChangeRequest(project, environment, authorKey(createdBy));
    return isPending(changeRequest) ? [{ key, property, value }] : [];
  },
  flagItems: (changeRequest) => {
    const { id, state, schedule } = changeRequest;
    const expiresAt = expiryOf(changeRequest);
    return [
      ...(state === 'Scheduled' && schedule?.status === 'pending'
        ? [changeRequestKeys.schedule(schedule.scheduledAt, id)]
        : []),
      ...(expiresAt === undefined ? [] : [changeRequestKeys.expiry(expiresAt, id)]),
    ];
  },
  events: {},
  eventData: ({ id }) => ({ id }),
  projectOf: ({ project }) => project,
});

/** The summary of a request in the list of its project, without the content of its changes, which can be large. */
export interface Summary extends Omit<ChangeRequest, 'changes' | 'comments' | 'rejections'> {
  readonly changes: readonly ChangeSummary[];
}

/** A change without its content. */
type ChangeSummary = Omit<RequestedChange, 'payload' | 'base' | 'adds' | 'template' | 'plan'> & {
  /** The id of the changed strategy or segment. */
  readonly of?: string | number;
  /** The name of a segment, or the type of a strategy. */
  readonly name?: string;
  /** The ids of the segments that the strategies will use. */
  readonly segments?: readonly number[];
};

function summaryOf({ comments: _comments, rejections: _rejections, changes, ...others }: ChangeRequest): Summary {
  return {
    ...others,
    changes: changes.map(({ payload, base, adds: _adds, template, plan: _plan, ...change }) => {
      const { id, name, segments } = { ...(base as object), ...(payload as object) } as Partial<ChangeSummary> & {
        readonly id?: string | number;
      };
      const used = template ? strategySegmentIdsOf({ ...change, template }) : segments;
      return {
        ...change,
        ...(id !== undefined && { of: id }),
        ...(name !== undefined && { name }),
        ...(used !== undefined && used.length > 0 && { segments: used }),
      };
    }),
  };
}

function summaryKeyOf(changeRequest: ChangeRequest): Key {
  return changeRequestKeys.listedChangeRequest(
    changeRequest.project,
    isClosed(changeRequest) ? 'CLOSED' : 'OPEN',
    changeRequest.id,
  );
}

function buildSummaryWrite(changeRequest: ChangeRequest): Write {
  const subject = `summary of change request "${changeRequest.id}"`;
  return { put: summaryKeyOf(changeRequest), item: { summary: JSON.stringify(summaryOf(changeRequest)) }, subject };
}

/** Builds the writes that create a request and its summary; a lost race if another request has taken its slot meanwhile. */
export function buildRequestCreation(
  changeRequest: ChangeRequest,
  at: string,
): { readonly writes: Write[]; readonly version: number } {
  const { writes, version } = changeRequests.buildCreationEffects(changeRequest, at, 'retry');
  return {
    writes: [...writes, buildSummaryWrite(changeRequest), ...buildAlarmWrites(undefined, changeRequest)],
    version,
  };
}

/** Builds the effects of a changed request: the request, its summary, and the mails about it. */
export function buildRequestUpdate(
  before: Versioned<ChangeRequest>,
  changed: ChangeRequest,
  events: readonly NewEvent[],
): Effects {
  const after = withReviewRequests(changed);
  const { writes } = changeRequests.buildUpdateEffects(before, after);
  if (writes.length === 0) return noEffects;
  const oldKey = summaryKeyOf(before.value);
  const isMoved = oldKey.sk !== summaryKeyOf(after).sk;
  const furtherWrites = [
    ...(isMoved ? [{ remove: oldKey }] : []),
    buildSummaryWrite(after),
    ...buildMailWrites(before, after, events),
    ...buildAlarmWrites(before.value, after),
  ];
  return { writes: [...writes, ...furtherWrites], events };
}

/** Decides to cancel a request. */
export function decideCancellation(before: Versioned<ChangeRequest>, at: string, reason?: string) {
  const after = withState(before.value, 'Cancelled', at);
  const event = buildRequestEvent('change-request-cancelled', after, { ...(reason !== undefined && { reason }) });
  return { ...buildRequestUpdate(before, after, [event]), result: undefined };
}

/** Decides to suspend a schedule. */
export function decideSuspension(before: Versioned<ChangeRequest>, reason: string): Effects {
  const after = withStatus(before.value, { status: 'suspended', reason });
  const scheduledBy = after.schedule?.scheduledBy.name;
  return buildRequestUpdate(before, after, [
    buildRequestEvent('change-request-schedule-suspended', after, { reason, scheduledBy }),
  ]);
}

/**
 * Builds an item whose removal by the store's time to live starts the clock when the request expires. Until then it costs
 * nothing.
 */
function buildAlarmWrites(before: ChangeRequest | undefined, { id, expiresAt }: ChangeRequest): Write[] {
  if (expiresAt === undefined || expiresAt === before?.expiresAt) return [];
  return [{ put: changeRequestKeys.alarm(id), item: { expiresAtSeconds: Math.ceil(Date.parse(expiresAt) / 1_000) } }];
}

/** Builds the writes that remove a request and its summary. */
export function buildRequestRemoval(before: Versioned<ChangeRequest>): Write[] {
  return [...changeRequests.buildRemovalEffects(before).writes, { remove: summaryKeyOf(before.value) }];
}

/**
 * Tells whether a request is visible to somebody: only its author sees a request that was never sent to review. For that of an agent,
 * this is the agent and its owner.
 */
export function isVisibleTo(
  viewer: Author,
  changeRequest: Pick<ChangeRequest, 'state' | 'stateTimestamps' | 'createdBy' | 'override'>,
): boolean {
  return isBy(viewer, changeRequest) || isVisibleToOthers(changeRequest);
}

/**
 * Reads a request of a project.
 * @throws ApiError 404 for a request that is unknown, of another project, or the draft of another person.
 */
export async function loadChangeRequest(
  request: Request,
  viewer: Author,
  { projectId, id }: { readonly projectId: string; readonly id: number },
): Promise<Versioned<ChangeRequest>> {
  const stored = await changeRequests.find(request, id);
  if (stored?.value.project === projectId && isVisibleTo(viewer, stored.value)) return stored;
  // The error of an unknown project is that of a hidden one.
  await requireProject(request, projectId);
  throw notFound('change request', id);
}

/** Finds the pending request of an author in an environment. */
export async function findPending(
  request: Request,
  author: Author,
  project: string,
  environment: string,
): Promise<Versioned<ChangeRequest> | undefined> {
  const key = changeRequestKeys.pendingChangeRequest(project, environment, authorKey(author));
  const pointer = await readItem<{ readonly id: number }>(request, key);
  const stored = pointer && (await changeRequests.find(request, pointer.id));
  return stored !== undefined && isPending(stored.value) ? stored : undefined;
}

/** Lists the ids of the open proposals of an agent by their slots. */
export async function loadProposals(request: Request, { token }: Agent): Promise<Map<number, number>> {
  const items = await queryAll<Key & { readonly id: number }>(request, changeRequestKeys.proposals(token));
  return new Map(items.map(({ sk, id }) => [Number(sk.split('#')[1]), id]));
}

/** Lists the projects in which agents have open proposals. */
export async function listProjectsWithProposals(request: Request): Promise<Set<string>> {
  const items = await queryAll<Key & { readonly project: string }>(request, changeRequestKeys.allProposals());
  return new Set(items.map(({ project }) => project));
}

type SummaryItem = Key & { readonly summary: string };

const parseSummary = ({ summary }: SummaryItem): Summary => JSON.parse(summary);

/** Lists all open requests of a project, by id. */
export async function listAllOpen(request: Request, project: string): Promise<Summary[]> {
  return (await queryAll<SummaryItem>(request, changeRequestKeys.changeRequests(project, 'OPEN'))).map(parseSummary);
}

/** Lists the open requests of a project that are visible to a person, by id. */
export async function listOpen(request: Request, viewer: Author, project: string): Promise<Summary[]> {
  return (await listAllOpen(request, project)).filter((summary) => isVisibleTo(viewer, summary));
}

/** Lists the newest closed requests of a project that are visible to a person, newest first. */
export async function listClosed(request: Request, viewer: Author, project: string, max: number): Promise<Summary[]> {
  const summaries: Summary[] = [];
  const pages = queryPages<SummaryItem>(request, changeRequestKeys.changeRequests(project, 'CLOSED'), {
    descending: true,
  });
  for await (const items of pages) {
    summaries.push(...items.map(parseSummary).filter((summary) => isVisibleTo(viewer, summary)));
    if (summaries.length >= max) break;
  }
  return summaries.slice(0, max);
}
