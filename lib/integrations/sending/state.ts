import { randomBytes } from 'node:crypto';
import { storeIfFirst } from '../../entity/store-if-first.ts';
import type { Request } from '../../request.ts';
import { readItem } from '../../store/read.ts';
import type { Write } from '../../store/transactions/write.ts';
import * as sendingKeys from './keys.ts';

/**
 * The list of all events is by the time of their stamps: this long after it, an event is committed, listed, and its stamp is
 * not of a clock that is ahead.
 */
export const marginMs = 600_000;

/** The state of what is sent from a store. */
export interface SendingState {
  /** The name of this store in the ids of messages: random, so that no two have the same. */
  readonly store: string;
  /** The name of the table that it was written in: a restored copy has another one. */
  readonly table: string;
  /** The time up to which everything is sent, given up, or waits in a lane. */
  readonly floor: string;
  /** The time since which this table is sent from: integrations of release 0.2 do not say since when they are switched on. */
  readonly begun: string;
  readonly version: number;
}

/**
 * Returns the state as it was found if it is that of this table. Where there is none, or that of another table, of which this
 * one is a copy, sending begins with this moment: nothing of the past is sent.
 * @param endCopied ends what the other table has under way, as long as a condition holds, which goes on there by itself; false
 * where it did not end all.
 */
export async function ownState(
  work: Request,
  now: number,
  known: SendingState | undefined,
  endCopied: (isStillCopied: Write) => Promise<boolean>,
): Promise<SendingState> {
  for (let found = known; ; found = await readItem<SendingState>(work, sendingKeys.sendingState())) {
    if (found !== undefined && found.table === work.store.name) return found;
    const when = found === undefined ? 'absent' : ({ version: found.version } as const);
    // Before the table is sent from: a process that dies in the middle leaves the rest to the next one.
    if (typeof when === 'object' && !(await endCopied({ check: sendingKeys.sendingState(), when }))) continue;
    const state = {
      store: newName(),
      table: work.store.name,
      // The first of all may be called by a change of a moment ago; of a copied table, nothing of before is sent.
      floor: new Date(now - (found === undefined ? marginMs : 0)).toISOString(),
      begun: new Date(now).toISOString(),
      version: (found?.version ?? 0) + 1,
    };
    if (await storeIfFirst(work, { put: sendingKeys.sendingState(), item: state, when })) return state;
  }
}

/** Moves the floor upwards, unless somebody has done so meanwhile. */
export async function raiseFloor(work: Request, state: SendingState, floor: string): Promise<void> {
  const { store, table, begun, version } = state;
  const item = { store, table, begun, floor, version: version + 1 };
  await storeIfFirst(work, { put: sendingKeys.sendingState(), item, when: { version } });
}

/** No dot is in it, which separates the parts of what is signed. */
function newName(): string {
  return randomBytes(6).toString('base64url');
}
