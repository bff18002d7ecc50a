import { randomUUID } from 'node:crypto';
import { ApiError } from '../errors.ts';
import * as peopleKeys from '../identity/keys.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { migrate } from '../migrations/migrate.ts';
import type { Request } from '../request.ts';
import { pause } from '../store/client/ask.ts';
import { type Key, keyText, type Partition } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { queryPages, readItem } from '../store/read.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { allPages, batchWritesMax, type WholeItem, writeBatch } from '../store/whole-items.ts';
import { chunksOf, mapChunks } from '../values/chunks.ts';
import { type Backup, readBackup } from './backup-file.ts';
import { isEntrance, isExpired, kindOfItem } from './carried.ts';
import { findRestoreMark, type RestoreMark } from './restore-mark.ts';
import type { StartStage } from './stage.ts';
import { isUnused } from './unused-store.ts';

interface Wanted {
  /** True if the backup may take the place of a store that is in use. */
  readonly replaces: boolean;
  readonly startStage: StartStage;
}

/** Items between two notes of how far it has come. */
const noteAfter = 1_000;
/** Requests in flight: more would take from a deployed table what others ask of it. */
const requestsAtOnce = 4;
/** Time in which a restore that was taken over from notices it, at its next note; 0 in tests that cut one off. */
export const takingOver = { waitMs: 5_000 };

/**
 * Fills a store with what a backup that was checked holds, and migrates it to the layout of this release. Cut off anywhere, it goes on where
 * it was when it is called again with a backup of the same content. Until it has come to its end, the store has nothing by
 * which anybody gets in, and no start, deployment or command takes it for a whole one.
 * @throws ApiError 409 for a store that is in use; nothing is written then. BadBackup where the file was changed meanwhile.
 */
export async function restoreStore(request: Request, file: string, backup: Backup, { replaces, startStage }: Wanted) {
  let mark = await begin(request, backup, replaces);
  if (!mark.isEmptied) {
    await empty(request, mark, startStage);
    mark = await note(request, { ...mark, isEmptied: true });
  }
  await fill(request, file, mark, backup, startStage);
  await migrate(request);
  await whileOurs(request, mark, { remove: keys.restoring() });
}

/** Says in the store that it is being restored, or takes over from a restore that was cut off. */
async function begin(request: Request, { sha256 }: Backup, replaces: boolean): Promise<RestoreMark> {
  const found = await findRestoreMark(request);
  const isSame = found?.sha256 === sha256;
  if (found !== undefined && !isSame && !replaces) {
    throw inUse(
      'A restore of another backup into this store has not come to its end: restore that one, or add --replace.',
    );
  }
  if (found === undefined && !replaces && !(await isUnused(request))) {
    throw inUse('This store is in use: restore into an empty one, or add --replace to lose what it holds.');
  }
  const fresh = { sha256, replaces: replaces || found?.replaces === true, isEmptied: false, written: 0 };
  const mark = { ...(isSame ? found : fresh), run: randomUUID() };
  const when = found === undefined ? ('absent' as const) : { same: { run: found.run } };
  await orTakenOver(transact(request, [{ put: keys.restoring(), item: { ...mark }, when }], undefined));
  if (found !== undefined) await pause(takingOver.waitMs, request);
  return mark;
}

const inUse = (message: string) => new ApiError('ConflictError', message);

async function note(request: Request, mark: RestoreMark): Promise<RestoreMark> {
  await whileOurs(request, mark, { put: keys.restoring(), item: { ...mark } });
  return mark;
}

type MarkWrite = Extract<Write, { put: Key } | { remove: Key }>;

function whileOurs(request: Request, { run }: RestoreMark, write: MarkWrite): Promise<void> {
  return orTakenOver(transact(request, [{ ...write, when: { same: { run } } }], undefined));
}

async function orTakenOver(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw error instanceof LostRace ? inUse('Another restore into this store has taken over from this one.') : error;
  }
}

/** Removes all items of the store, first of all those by which somebody gets in. */
async function empty(request: Request, mark: RestoreMark, startStage: StartStage): Promise<void> {
  using stage = startStage('Items removed');
  const removeAll = async (items: readonly Key[]) => {
    // Otherwise it would remove what a restore that has taken over has written.
    await note(request, mark);
    await inBatches(items, (batch) => writeBatch(request, [], batch));
    stage.advance(items.length);
  };
  const doors: Partition[] = [peopleKeys.access(), ...tokenKeys.tokens()];
  for (const partition of doors) {
    for await (const page of queryPages<Key>(request, partition, { attributes: ['pk', 'sk'] })) await removeAll(page);
  }
  // Numbers that were given away are not given away again.
  const own = keyText(keys.restoring());
  const stays = (item: WholeItem) => keyText(item) === own || (mark.replaces && kindOfItem(item) === 'COUNTER');
  for await (const page of allPages(request)) await removeAll(page.filter((item) => !stays(item)));
}

async function fill(
  request: Request,
  file: string,
  mark: RestoreMark,
  { items: total }: Backup,
  startStage: StartStage,
) {
  using stage = startStage('Items written', total);
  let written = mark.written;
  let waiting: WholeItem[] = [];
  const write = async () => {
    const items = await Promise.all(waiting.map((item) => (mark.replaces ? notLower(request, item) : item)));
    await inBatches(
      items.filter((item) => !isExpired(item)),
      (batch) => writeBatch(request, batch),
    );
    written += waiting.length;
    waiting = [];
    await note(request, { ...mark, written });
  };
  let count = 0;
  for await (const item of readBackup(file)) {
    stage.advance();
    count += 1;
    if (count <= mark.written) continue;
    const [first] = waiting;
    // Those by which somebody gets in come last in a file, once all others are in the store.
    if (first !== undefined && isEntrance(first) !== isEntrance(item)) await write();
    waiting.push(item);
    if (waiting.length === noteAfter) await write();
  }
  await write();
}

/** A counter as it is in the backup, or as it was in the store where that is more. */
async function notLower(request: Request, item: WholeItem): Promise<WholeItem> {
  if (kindOfItem(item) !== 'COUNTER') return item;
  const found = await readItem<{ readonly value: number }>(request, { pk: item.pk, sk: item.sk });
  return { ...item, value: Math.max(Number(item.value), found?.value ?? 0) };
}

async function inBatches<T>(things: readonly T[], write: (batch: readonly T[]) => Promise<void>): Promise<void> {
  const batches = [...chunksOf(things, batchWritesMax)];
  await mapChunks(batches, requestsAtOnce, write);
}
