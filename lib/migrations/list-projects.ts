import type { Key } from '../table/definition.ts';
import * as keys from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { retryLostRaces } from '../table/retry.ts';
import { scanKeys } from '../table/scan.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import type { Write } from '../table/write.ts';

/** Puts the projects of earlier releases into the list of all; each is looked for in the whole table. */
export async function* listProjects(table: Table, from: Key | undefined): AsyncGenerator<Key | undefined> {
  const { pk: prefix, sk } = keys.project('');
  for await (const { items: found, next } of scanKeys(table, { prefix, sk }, from)) {
    const ids = found.map(({ pk }) => pk.slice(prefix.length));
    await Promise.all(ids.map((id) => table.limiter(() => listProject(table, id))));
    yield next;
  }
}

/** One that is listed already stays so, and one that was removed meanwhile is left out. */
function listProject(table: Table, id: string): Promise<void> {
  return retryLostRaces(table, async () => {
    const [project, listed] = await readItems(table, [keys.project(id), keys.listedProject(id)]);
    if (project === undefined || listed !== undefined) return;
    const item = { id, project: id };
    const writes: Write[] = [
      { check: keys.project(id), when: 'present' },
      { put: keys.listedProject(id), item, when: 'absent' },
    ];
    await transact(table, writes, undefined);
  });
}
