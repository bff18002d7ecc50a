import { codec } from '../entity/codec.ts';
import { type Effects, noEffects } from '../entity/effects.ts';
import { entity } from '../entity/entity.ts';
import { notFound } from '../errors.ts';
import type { Author } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, queryPages, readItem } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import {
  authorKey,
  type ChangeRequest,
  inState,
  isBy,
  isClosed,
  isPending,
  isPublic,
  type RequestedChange,
  requestEvent,
  requestExpiry,
  withStatus,
} from './change-request.ts';
import * as changeRequestKeys from './keys.ts';
import { mailWrites, withAsked } from './mails/outbox.ts';

export const changeRequests = entity<ChangeRequest, number>({
  kind: 'change request',
  idOf: ({ id }) => id,
  keyOf: changeRequestKeys.changeRequest,
  // Each project lists its own.
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
  claims: (one) =>
    isPending(one)
      ? [
          {
            key: changeRequestKeys.pendingChangeRequest(one.project, one.environment, authorKey(one.createdBy)),
            property: 'author',
            value: one.createdBy.name,
          },
        ]
      : [],
  marks: (one) => {
    const { id, state, schedule } = one;
    const expiresAt = requestExpiry(one);
    return [
      ...(state === 'Scheduled' && schedule?.status === 'pending'
        ? [changeRequestKeys.schedule(schedule.scheduledAt, id)]
        : []),
      ...(expiresAt === undefined ? [] : [changeRequestKeys.expiry(expiresAt, id)]),
    ];
  },
  events: {},
  shown: ({ id }) => ({ id }),
  projectOf: ({ project }) => project,
});

/** A request as the list of its project has it: its changes without their content, which can be large. */
export interface Summary extends Omit<ChangeRequest, 'changes' | 'comments' | 'rejections'> {
  readonly changes: readonly SummaryOfChange[];
}

/** A change without its content, with the strategy or the segment that it is about. */
type SummaryOfChange = Omit<RequestedChange, 'payload' | 'base' | 'adds'> & {
  readonly of?: string | number;
  /** The name of a segment, or the type of a strategy. */
  readonly name?: string;
  /** The segments that a strategy is to use. */
  readonly segments?: readonly number[];
};

function summaryOf({ comments: _comments, rejections: _rejections, changes, ...others }: ChangeRequest): Summary {
  return {
    ...others,
    changes: changes.map(({ payload, base, adds: _adds, ...change }) => {
      const { id, name, segments } = { ...(base as object), ...(payload as object) } as Partial<SummaryOfChange> & {
        readonly id?: string | number;
      };
      return {
        ...change,
        ...(id !== undefined && { of: id }),
        ...(name !== undefined && { name }),
        ...(segments !== undefined && segments.length > 0 && { segments }),
      };
    }),
  };
}

function listedKey(one: ChangeRequest): Key {
  return changeRequestKeys.listedChangeRequest(one.project, isClosed(one) ? 'CLOSED' : 'OPEN', one.id);
}

function listed(one: ChangeRequest): Write {
  const what = `summary of change request "${one.id}"`;
  return { put: listedKey(one), item: { summary: JSON.stringify(summaryOf(one)) }, what };
}

/** Returns the writes that create a request with its place in the list; another one of the author is a lost race. */
export function requestCreated(one: ChangeRequest, at: string): { readonly writes: Write[]; readonly version: number } {
  const { writes, version } = changeRequests.created(one, at, 'retry');
  return { writes: [...writes, listed(one)], version };
}

/** Returns the effects of a request that has changed, with its place in the list and the mails about it. */
export function requestUpdated(
  before: Versioned<ChangeRequest>,
  decided: ChangeRequest,
  events: readonly NewEvent[],
): Effects {
  const after = withAsked(decided);
  const { writes } = changeRequests.updated(before, after);
  if (writes.length === 0) return noEffects;
  const old = listedKey(before.value);
  const isMoved = old.sk !== listedKey(after).sk;
  const besides = [
    ...(isMoved ? [{ remove: old }] : []),
    listed(after),
    ...mailWrites(before, after, events),
    ...alarmWrites(before.value, after),
  ];
  return { writes: [...writes, ...besides], events };
}

/** Returns the effects of cancelling a request. */
export function decideCancellation(before: Versioned<ChangeRequest>, at: string, reason?: string) {
  const after = inState(before.value, 'Cancelled', at);
  const event = requestEvent('change-request-cancelled', after, { ...(reason !== undefined && { reason }) });
  return { ...requestUpdated(before, after, [event]), result: undefined };
}

/** Returns the effects of suspending a schedule. */
export function decideSuspension(before: Versioned<ChangeRequest>, reason: string): Effects {
  const after = withStatus(before.value, { status: 'suspended', reason });
  const scheduledBy = after.schedule?.scheduledBy.name;
  return requestUpdated(before, after, [
    requestEvent('change-request-schedule-suspended', after, { reason, scheduledBy }),
  ]);
}

/**
 * Returns the writes that wake the clock once a request has expired: the store removes an item by itself then, which costs
 * nothing until it does.
 */
function alarmWrites(before: ChangeRequest, { id, expiresAt }: ChangeRequest): Write[] {
  if (expiresAt === undefined || expiresAt === before.expiresAt) return [];
  return [{ put: changeRequestKeys.alarm(id), item: { expiresAtSeconds: Math.ceil(Date.parse(expiresAt) / 1_000) } }];
}

/** Returns the writes that remove a request, with its place in the list. */
export function requestRemoved(before: Versioned<ChangeRequest>): Write[] {
  return [...changeRequests.removed(before).writes, { remove: listedKey(before.value) }];
}

/** Tells whether a person may know of a request: one that never came to review is its author's own. */
export function isShownTo(
  viewer: Author,
  one: Pick<ChangeRequest, 'state' | 'stateTimestamps' | 'createdBy' | 'override'>,
): boolean {
  return isBy(viewer, one) || isPublic(one);
}

/**
 * Reads a request of a project.
 * @throws ApiError 404 for one that is unknown, of another project, or the draft of somebody else.
 */
export async function loadChangeRequest(
  request: Request,
  viewer: Author,
  { projectId, id }: { readonly projectId: string; readonly id: number },
): Promise<Versioned<ChangeRequest>> {
  const found = await changeRequests.find(request, id);
  if (found?.value.project !== projectId || !isShownTo(viewer, found.value)) throw notFound('change request', id);
  return found;
}

/** Finds the request of an author that can still be edited. */
export async function findPending(
  request: Request,
  author: Author,
  project: string,
  environment: string,
): Promise<Versioned<ChangeRequest> | undefined> {
  const key = changeRequestKeys.pendingChangeRequest(project, environment, authorKey(author));
  const pointer = await readItem<{ readonly id: number }>(request, key);
  const found = pointer && (await changeRequests.find(request, pointer.id));
  return found !== undefined && isPending(found.value) ? found : undefined;
}

type SummaryItem = Key & { readonly summary: string };

const summaryFrom = ({ summary }: SummaryItem): Summary => JSON.parse(summary);

/** Lists the open requests of a project, by id. */
export async function allOpen(request: Request, project: string): Promise<Summary[]> {
  return (await queryAll<SummaryItem>(request, changeRequestKeys.changeRequests(project, 'OPEN'))).map(summaryFrom);
}

/** Lists the open requests of a project that a person may know of, by id. */
export async function listOpen(request: Request, viewer: Author, project: string): Promise<Summary[]> {
  return (await allOpen(request, project)).filter((each) => isShownTo(viewer, each));
}

/** Lists the newest closed requests of a project that a person may know of, newest first. */
export async function listClosed(request: Request, viewer: Author, project: string, max: number): Promise<Summary[]> {
  const found: Summary[] = [];
  const pages = queryPages<SummaryItem>(request, changeRequestKeys.changeRequests(project, 'CLOSED'), {
    descending: true,
  });
  for await (const items of pages) {
    found.push(...items.map(summaryFrom).filter((each) => isShownTo(viewer, each)));
    if (found.length >= max) break;
  }
  return found.slice(0, max);
}
