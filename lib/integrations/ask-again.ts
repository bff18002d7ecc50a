import { randomUUID } from 'node:crypto';
import { existenceCheck } from '../entity/references.ts';
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
import type { AgainInput } from './addon-schema.ts';
import { type Addon, addons } from './addons.ts';
import type { Again } from './sending/again.ts';
import * as sendingKeys from './sending/keys.ts';
import { raiseVersion } from './sending/receiver-state.ts';

/** The time for which a request waits to be carried out. */
const keptSeconds = 7 * 86_400;
/** The requests of an addon that may wait, but for those that come at the same moment; each may read all of the log. */
const waitingMax = 10;

/**
 * Asks for events to be sent once more, or for a made-up one; the clock carries it out.
 * @throws ApiError 404 where there is no such addon; 400 for one that is switched off or has enough to send again, and for an end
 * before its beginning.
 */
export async function askAgain(request: Request, actor: Actor, id: number, input: AgainInput): Promise<void> {
  const [{ value: addon }, waiting] = await Promise.all([
    addons.load(request, id),
    queryAll<Key>(request, sendingKeys.resends(id), { attributes: ['sk'] }),
  ]);
  assertRoom(waiting.length, waitingMax, 'requests to send again that wait');
  const again = await againOf(request, actor, addon, input);
  const item = { what: JSON.stringify(again), expiresAtSeconds: computeExpiry(keptSeconds) };
  await transact(
    request,
    [
      existenceCheck('addon', id, addons.keyOf(id)),
      { put: sendingKeys.resend(id, randomUUID()), item, when: 'absent' },
      // The poll looks at integrations that have something to send.
      { add: sendingKeys.receiverState(id), amounts: raiseVersion() },
    ],
    undefined,
  );
}

async function againOf(request: Request, actor: Actor, addon: Addon, input: AgainInput): Promise<Again> {
  const { ids, failed = false, since = '', until } = input;
  const end = until ?? new Date().toISOString();
  const problems: ErrorDetail[] = [];
  if (since > end) problems.push({ path: 'until', message: 'It must not lie before "since".' });
  if (!addon.enabled)
    problems.push({ message: 'The addon is switched off, and sends nothing until it is switched on.' });
  if (problems.length > 0) throw invalidRequest(problems);
  const isTest = ids === undefined && !failed && since === '' && until === undefined;
  if (isTest) return { kind: 'test', event: madeUp(addon, actor, (await takeEventIds(request, 1)).first) };
  return { kind: ids === undefined && !failed ? 'logged' : 'sent', since, until: end, failed, ...(ids && { ids }) };
}

/** Makes an event of the first type that an addon asks for; its data say that it is a test. */
function madeUp({ events, projects, environments }: Addon, { id: userId, name }: Actor, id: number): Event {
  const type = (events[0] ?? 'feature-created') as EventType;
  const isOfFeature = type.startsWith('feature-');
  const [project, environment] = [projects, environments].map((all) => all.find((filter) => filter !== '*'));
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
