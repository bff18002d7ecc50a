import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { readItems } from '../store/read.ts';
import { scanKeys } from '../store/scan.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';

/** Puts the projects of earlier releases into the list of all; each is looked for in the whole table. */
export async function* listProjects(request: Request, from: Key | undefined): AsyncGenerator<Key | undefined> {
  const { pk: prefix, sk } = keys.project('');
  for await (const { items: found, next } of scanKeys(request, { prefix, sk }, from)) {
    const ids = found.map(({ pk }) => pk.slice(prefix.length));
    await Promise.all(ids.map((id) => request.store.limiter(() => listProject(request, id))));
    yield next;
  }
}

/** One that is listed already stays so, and one that was removed meanwhile is left out. */
function listProject(request: Request, id: string): Promise<void> {
  return retryLostRaces(request, async () => {
    const [project, listed] = await readItems(request, [keys.project(id), keys.listedProject(id)]);
    if (project === undefined || listed !== undefined) return;
    const item = { id, project: id };
    const writes: Write[] = [
      { check: keys.project(id), when: 'present' },
      { put: keys.listedProject(id), item, when: 'absent' },
    ];
    await transact(request, writes, undefined);
  });
}
