import * as flagKeys from '../identity/access-flags/keys.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf } from '../values/lists.ts';
import * as changeRequestKeys from './keys.ts';

/** Number of change requests that one transaction removes, each with two further items or three. */
const changeRequestsTogether = 30;

interface ListedItem extends Key {
  readonly summary: string;
}

/** Removes the change requests of a project, with their places in lists, their schedules and what was changed under them. */
export async function removeRequestsOf(request: Request, project: string): Promise<void> {
  const itemsOf = (list: 'OPEN' | 'CLOSED' | 'PENDING') =>
    queryAll<ListedItem>(request, changeRequestKeys.changeRequests(project, list));
  const pending = (await itemsOf('PENDING')).map((key): Write[] => [{ remove: { pk: key.pk, sk: key.sk } }]);
  const all = [await itemsOf('OPEN'), await itemsOf('CLOSED')].flat();
  const changed: Write[][] = [];
  for (const { id, environment, createdBy, override } of all.map(({ summary }) => JSON.parse(summary))) {
    if (override === undefined) continue;
    const records = await queryAll<Key>(request, flagKeys.overrideChanges(id));
    const keysOf = [
      flagKeys.override(project, environment, createdBy.id),
      ...records.map(({ pk, sk }) => ({ pk, sk })),
    ];
    changed.push(...keysOf.map((key) => [{ remove: key }]));
  }
  const listed = all.map(({ pk, sk, summary }): Write[] => {
    const { id, schedule, expiresAt } = JSON.parse(summary);
    const timed = [
      ...(schedule === undefined ? [] : [{ remove: changeRequestKeys.schedule(schedule.scheduledAt, id) }]),
      ...(expiresAt === undefined ? [] : [{ remove: changeRequestKeys.expiry(expiresAt, id) }]),
    ];
    return [{ remove: { pk, sk } }, { remove: changeRequestKeys.changeRequest(id) }, ...timed];
  });
  for (const chunk of chunksOf([...changed, ...listed, ...pending], changeRequestsTogether)) {
    await retryLostRaces(request, () => transact(request, chunk.flat(), undefined));
  }
  // A change request that was closed meanwhile has moved to a list that had been read before.
  if (all.length > 0) await removeRequestsOf(request, project);
}
