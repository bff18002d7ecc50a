import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyStore } from '../../../lib/backup/copy-store.ts';
import { WorkingCopy } from '../../../lib/backup/working-copy.ts';
import { type HistoryReport, verifyHistory } from '../../../lib/history/verify-history.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { createEnvironmentRequest, type Request } from '../../../lib/request.ts';
import { createTable } from '../../../lib/store/client/tables.ts';
import type { RawItem } from '../../../lib/store/raw-items.ts';
import { sealNow } from '../../harness/seal-now.ts';
import { openInProcessStore } from '../in-process-store.ts';
import { kill, openMortalProcesses } from '../mortal-processes.ts';

/** The start of a process that writes. */
export interface HistoryWriterJob {
  readonly folder: string;
  readonly adminToken: string;
  /** A text that no other process writes. */
  readonly name: string;
  /** The chance that it seals after a change. */
  readonly sealChance: number;
}

/** A process, the number of its changes, and that at which it is killed. */
interface Life {
  readonly child: ChildProcess;
  readonly changed: number;
  readonly end: number;
}

/** Four processes have four writers each. */
const processes = 4;
/** A process is killed after so many changes, up to twice as many. */
const changesPerLife = (changes: number) => Math.max(20, changes / 400);
/**
 * Seals that are begun in all. They are spread over the changes and not over the time, since each one reads all events: on a slow
 * machine, seals every few seconds would leave no time for changes.
 */
const sealsBegun = 50;
const noProgress = () => ({ advance() {}, [Symbol.dispose]() {} });

/**
 * Lets 16 writers change features in a store of a folder, kills their processes one after the other, and verifies the history.
 * @returns the number of acknowledged changes and of kills, and the reports: while the last events are in no seal, and of all sealed.
 */
export async function writeWithKills(folder: string, changes: number) {
  const file = join(folder, 'flagstaff.db');
  process.env.TABLE_NAME = 'flagstaff';
  const adminToken = makeSecret('admin');
  const prepared = await openInProcessStore(file);
  await createTable(createEnvironmentRequest());
  await prepareStore(createEnvironmentRequest(), { adminTokens: [adminToken] });
  await prepared.close();

  let [changed, kills, started] = [0, 0, 0];
  using mortal = await openMortalProcesses(folder, new URL('writer.ts', import.meta.url));
  const start = (): Life => {
    const child = mortal.next();
    const life = { child, changed: 0, end: changesPerLife(changes) * (1 + Math.random()) };
    child.on('message', () => {
      changed += 1;
      life.changed += 1;
    });
    started += 1;
    const job = { folder, adminToken, name: String(started), sealChance: sealsBegun / changes };
    child.send(job satisfies HistoryWriterJob);
    return life;
  };
  let writers = Array.from({ length: processes }, start);
  let shown = 0;
  while (changed < changes) {
    await sleep(20);
    const ripe = writers.filter((life) => life.changed >= life.end);
    await Promise.all(ripe.map(({ child }) => kill(child)));
    kills += ripe.length;
    writers = [...writers.filter((life) => !ripe.includes(life)), ...ripe.map(start)];
    if (changed - shown >= changes / 10) {
      console.log(`${changed} changes, ${kills} kills`);
      shown = changed;
    }
  }
  await Promise.all(writers.map(({ child }) => kill(child)));

  const store = await openInProcessStore(file);
  const table = createEnvironmentRequest();
  const unsealed = await verifyTable(table);
  await sealNow(table);
  const sealed = await verifyTable(table);
  await store.close();
  return { changed, kills: kills + writers.length, unsealed, sealed };
}

async function verifyTable(table: Request): Promise<HistoryReport> {
  using copy = new WorkingCopy();
  await copyStore(table, copy, noProgress);
  function* items(): Generator<RawItem> {
    for (const { item } of copy.items()) yield JSON.parse(item);
  }
  return await verifyHistory(items());
}
