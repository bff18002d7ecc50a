import { randomUUID } from 'node:crypto';
import { buildExistenceCheck } from '../entity/references.ts';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { takeEventIds } from '../events/event-ids.ts';
import type { Event, EventType } from '../events/event-schema.ts';
import { assertRoom } from '../limits.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { transact } from '../store/transactions/transact.ts';
import { computeExpiry } from '../values/time.ts';
import type { Addon, AgainInput } from './addon-schema.ts';
import { addons } from './addons.ts';
import type { Again } from './sending/again.ts';
import * as sendingKeys from './sending/keys.ts';
import { raiseVersion } from './sending/receiver-state.ts';

/** The longest time for which a request waits. */
const keptSeconds = 7 * 86_400;
/** The most waiting requests of an addon, since each may read the whole log. Concurrent requests may exceed it. */
const waitingMax = 10;

/**
 * Requests that events are sent again, or that a test event is sent. The poll carries it out.
 * @throws ApiError 404 for an unknown addon; 400 for a disabled one, for too many waiting requests, and for an end before the
 * beginning.
 */
export async function askAgain(request: Request, actor: Actor, id: number, input: AgainInput): Promise<void> {
  const [{ value: addon }, waiting] = await Promise.all([
    addons.load(request, id),
    queryAll<Key>(request, sendingKeys.resends(id), { attributes: ['sk'] }),
  ]);
  assertRoom(waiting.length, waitingMax, 'waiting requests to send again');
  const again = await buildRequest(request, actor, addon, input);
  const item = { what: JSON.stringify(again), expiresAtSeconds: computeExpiry(keptSeconds) };
  await transact(
    request,
    [
      buildExistenceCheck('addon', id, addons.keyOf(id)),
      { put: sendingKeys.resend(id, randomUUID()), item, when: 'absent' },
      // The poll looks at integrations with a receiver state.
      { add: sendingKeys.receiverState(id), amounts: raiseVersion() },
    ],
    undefined,
  );
}

async function buildRequest(request: Request, actor: Actor, addon: Addon, input: AgainInput): Promise<Again> {
  const { ids, failed = false, since = '', until } = input;
  const end = until ?? new Date().toISOString();
  const problems: ErrorDetail[] = [];
  if (since > end) problems.push({ path: 'until', message: 'It must not be before "since".' });
  if (!addon.enabled) problems.push({ message: 'The addon is disabled and sends nothing until it is enabled.' });
  if (problems.length > 0) throw invalidRequest(problems);
  const isTest = ids === undefined && !failed && since === '' && until === undefined;
  if (isTest) return { kind: 'test', event: buildTestEvent(addon, actor, (await takeEventIds(request, 1)).first) };
  return { kind: ids === undefined && !failed ? 'logged' : 'sent', since, until: end, failed, ...(ids && { ids }) };
}

/** Builds a test event of the first type that an addon sends. */
function buildTestEvent({ events, projects, environments }: Addon, { id: userId, name }: Actor, id: number): Event {
  const type = (events[0] ?? 'feature-created') as EventType;
  const isOfFeature = type.startsWith('feature-');
  const [project, environment] = [projects, environments].map((filters) => filters.find((filter) => filter !== '*'));
  return {
    ...{ id, type, createdAt: new Date().toISOString(), createdBy: name, createdByUserId: userId },
    project: project ?? (isOfFeature ? 'default' : null),
    environment: environment ?? null,
    featureName: isOfFeature ? 'example' : null,
    data: { name: 'example', test: true },
    preData: null,
    tags: [],
  };
}
