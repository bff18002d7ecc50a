import * as flagKeys from '../identity/access-flags/keys.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf } from '../values/lists.ts';
import type { Summary } from './change-requests.ts';
import * as changeRequestKeys from './keys.ts';

/** Number of change requests per transaction, each with up to four other items. */
const chunkSize = 20;

interface ListedItem extends Key {
  readonly summary: string;
}

/** Removes all change requests of a project, with their summaries, due index entries and the records of overrides. */
export async function removeRequestsOf(request: Request, project: string): Promise<void> {
  const itemsOf = (list: 'OPEN' | 'CLOSED' | 'PENDING') =>
    queryAll<ListedItem>(request, changeRequestKeys.changeRequests(project, list));
  const pending = (await itemsOf('PENDING')).map((key): Write[] => [{ remove: { pk: key.pk, sk: key.sk } }]);
  const all = [await itemsOf('OPEN'), await itemsOf('CLOSED')].flat();
  const overrideRemovals: Write[][] = [];
  for (const { id, environment, createdBy, override } of all.map(({ summary }) => JSON.parse(summary))) {
    if (override === undefined) continue;
    const records = await queryAll<Key>(request, flagKeys.overrideChanges(id));
    const keys = [flagKeys.override(project, environment, createdBy.id), ...records.map(({ pk, sk }) => ({ pk, sk }))];
    overrideRemovals.push(...keys.map((key) => [{ remove: key }]));
  }
  const removals = all.map(({ pk, sk, summary }): Write[] => {
    const { id, schedule, expiresAt, createdBy, place: slot }: Summary = JSON.parse(summary);
    const dueEntries = [
      ...(schedule === undefined ? [] : [{ remove: changeRequestKeys.schedule(schedule.scheduledAt, id) }]),
      ...(expiresAt === undefined ? [] : [{ remove: changeRequestKeys.expiry(expiresAt, id) }]),
    ];
    // Only an open request takes a slot.
    const hasSlot = createdBy.agent !== undefined && slot !== undefined && sk.startsWith('OPEN#');
    const slots = hasSlot ? [{ remove: changeRequestKeys.proposal(createdBy.agent.token, slot) }] : [];
    return [...slots, { remove: { pk, sk } }, { remove: changeRequestKeys.changeRequest(id) }, ...dueEntries];
  });
  for (const chunk of chunksOf([...overrideRemovals, ...removals, ...pending], chunkSize)) {
    await retryLostRaces(request, () => transact(request, chunk.flat(), undefined));
  }
  // A request that was closed meanwhile moved to a list that had been read before, so all lists are read again.
  if (all.length > 0) await removeRequestsOf(request, project);
}
