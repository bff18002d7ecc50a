import { randomUUID } from 'node:crypto';
import { ApiError } from '../errors.ts';
import * as peopleKeys from '../identity/keys.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { migrate } from '../migrations/migrate.ts';
import type { Request } from '../request.ts';
import { pause } from '../store/client/call-store.ts';
import { type Key, keyText, kindOfItem, type Partition } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { batchWritesMax, type RawItem, scanPages, writeBatch } from '../store/raw-items.ts';
import { queryPages, readItem } from '../store/read.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf, mapChunks } from '../values/lists.ts';
import { type Backup, readBackup, type StartProgress } from './backup-file.ts';
import { isCredential, isExpired } from './backup-items.ts';
import { findRestoreState, type RestoreState } from './restore-state.ts';
import { isUnused } from './unused-store.ts';

interface RestoreOptions {
  /** True if the backup may replace a store that is in use. */
  readonly replaces: boolean;
  readonly startProgress: StartProgress;
}

/** The number of items after which the restore records its progress. */
const itemsPerNote = 1_000;
/** The number of concurrent requests. More would take capacity of a deployed table from other callers. */
const requestsAtOnce = 4;
/**
 * The time that a restore waits after taking over from another one, which stops when it records its progress. Tests that interrupt
 * a restore set it to 0.
 * @internal
 */
export const takeOverPause = { waitMs: 5_000 };

/**
 * Fills a store with the content of a checked backup, and migrates it to the layout of this release. Another call with a backup of
 * the same content continues an interrupted restore. Until the end, nobody has access, and every start, deployment and command
 * refuses the store.
 * @throws ApiError 409 for a store in use, without writing anything; BadBackup if the file has changed since it was checked.
 */
export async function restoreStore(
  request: Request,
  file: string,
  backup: Backup,
  { replaces, startProgress }: RestoreOptions,
) {
  let state = await begin(request, backup, replaces);
  if (!state.isEmptied) {
    await empty(request, state, startProgress);
    state = await note(request, { ...state, isEmptied: true });
  }
  await fill(request, file, state, backup, startProgress);
  await migrate(request);
  await whileOurs(request, state, { remove: keys.restoring() });
}

/** Records in the store that it is being restored, or takes over from an interrupted restore. */
async function begin(request: Request, { sha256 }: Backup, replaces: boolean): Promise<RestoreState> {
  const earlier = await findRestoreState(request);
  const isSame = earlier?.sha256 === sha256;
  if (earlier !== undefined && !isSame && !replaces) {
    throw inUse('A restore of another backup into this store is unfinished: restore that one, or add --replace.');
  }
  if (earlier === undefined && !replaces && !(await isUnused(request))) {
    throw inUse('This store is in use: restore into an empty one, or add --replace to delete its content first.');
  }
  const fresh = { sha256, replaces: replaces || earlier?.replaces === true, isEmptied: false, written: 0 };
  const state = { ...(isSame ? earlier : fresh), run: randomUUID() };
  const when = earlier === undefined ? ('absent' as const) : { same: { run: earlier.run } };
  await orTakenOver(transact(request, [{ put: keys.restoring(), item: { ...state }, when }], undefined));
  if (earlier !== undefined) await pause(takeOverPause.waitMs, request);
  return state;
}

const inUse = (message: string) => new ApiError('ConflictError', message);

async function note(request: Request, state: RestoreState): Promise<RestoreState> {
  await whileOurs(request, state, { put: keys.restoring(), item: { ...state } });
  return state;
}

type StateWrite = Extract<Write, { put: Key } | { remove: Key }>;

function whileOurs(request: Request, { run }: RestoreState, write: StateWrite): Promise<void> {
  return orTakenOver(transact(request, [{ ...write, when: { same: { run } } }], undefined));
}

async function orTakenOver(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw error instanceof LostRace ? inUse('Another restore into this store has taken over from this one.') : error;
  }
}

/** Removes all items of the store, beginning with those that grant access. */
async function empty(request: Request, state: RestoreState, startProgress: StartProgress): Promise<void> {
  using progress = startProgress('Items removed');
  const removeAll = async (items: readonly Key[]) => {
    // Fails if another restore has taken over, so that none of its items are removed.
    await note(request, state);
    await inBatches(items, (keys) => writeBatch(request, [], keys));
    progress.advance(items.length);
  };
  const credentials: Partition[] = [peopleKeys.access(), ...tokenKeys.tokens()];
  for (const partition of credentials) {
    for await (const page of queryPages<Key>(request, partition, { attributes: ['pk', 'sk'] })) await removeAll(page);
  }
  // Counters stay, so that no number is used twice.
  const stateKey = keyText(keys.restoring());
  const stays = (item: RawItem) => keyText(item) === stateKey || (state.replaces && kindOfItem(item) === 'COUNTER');
  for await (const page of scanPages(request)) await removeAll(page.filter((item) => !stays(item)));
}

async function fill(
  request: Request,
  file: string,
  state: RestoreState,
  { items: total }: Backup,
  startProgress: StartProgress,
) {
  using progress = startProgress('Items written', total);
  let written = state.written;
  let batch: RawItem[] = [];
  const write = async () => {
    const items = await Promise.all(batch.map((item) => (state.replaces ? withHighestCount(request, item) : item)));
    await inBatches(
      items.filter((item) => !isExpired(item)),
      (part) => writeBatch(request, part),
    );
    written += batch.length;
    batch = [];
    await note(request, { ...state, written });
  };
  let count = 0;
  for await (const item of readBackup(file)) {
    progress.advance();
    count += 1;
    if (count <= state.written) continue;
    const [first] = batch;
    // Items that grant access are last in the file, and are written after all others.
    if (first !== undefined && isCredential(first) !== isCredential(item)) await write();
    batch.push(item);
    if (batch.length === itemsPerNote) await write();
  }
  await write();
}

/** Returns a counter with the higher value of backup and store; returns other items unchanged. */
async function withHighestCount(request: Request, item: RawItem): Promise<RawItem> {
  if (kindOfItem(item) !== 'COUNTER') return item;
  const stored = await readItem<{ readonly value: number }>(request, { pk: item.pk, sk: item.sk });
  return { ...item, value: Math.max(Number(item.value), stored?.value ?? 0) };
}

async function inBatches<T>(things: readonly T[], write: (batch: readonly T[]) => Promise<void>): Promise<void> {
  const batches = [...chunksOf(things, batchWritesMax)];
  await mapChunks(batches, requestsAtOnce, write);
}
