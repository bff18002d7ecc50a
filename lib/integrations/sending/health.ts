import type { Request } from '../../request.ts';
import { changeItem } from '../../store/change-item.ts';
import { readItem } from '../../store/read.ts';
import * as sendingKeys from './keys.ts';
import { breakerMaxMs, breakerMs, isAhead, pauseMaxMs } from './schedule.ts';

/** The troubles of an integration; there are none where the item is missing. Times are in milliseconds since 1970. */
export interface Health {
  /** Rises with every change. */
  readonly version: number;
  /** The version of the integration that the troubles are about: saving it ends them. */
  readonly ofVersion?: number;
  /** The failures since the last success. */
  readonly failures?: number;
  /** The number of successes that came after failures. */
  readonly recoveries?: number;
  /** Until then nothing is tried. */
  readonly openUntil?: number;
  /** The receiver is left in peace until then. */
  readonly askedUntil?: number;
  /** The openings of the breaker since the last success. */
  readonly openings?: number;
  /** The number of times that the breaker has closed: what has waited since before the last of them is due. */
  readonly closings?: number;
  /** The reason why nothing is sent until somebody saves the integration; empty for none. */
  readonly paused?: string;
  /** 1 after a silence, until it answers: it is served by the clock alone, so that it holds up no others. */
  readonly slow?: number;
}

/** Reads the health of an integration; undefined where nothing is wrong. */
export function readHealth(work: Request, addon: number): Promise<Health | undefined> {
  return readItem<Health>(work, sendingKeys.addonHealth(addon));
}

/** Ends the troubles of an earlier version of the integration. */
const ended = { openings: 0, openUntil: 0, askedUntil: 0, paused: '' };

/** Takes note of a failure, which an answer may be: it ends a silence. @returns the health then. */
export async function noteFailure(
  work: Request,
  { id, version }: { readonly id: number; readonly version: number },
  { isSilence, isAnswered }: { readonly isSilence: boolean; readonly isAnswered: boolean },
): Promise<Health> {
  const before = await readHealth(work, id);
  const isOther = before?.ofVersion !== version;
  const slow = (isSilence || isAnswered) && { slow: isSilence ? 1 : 0 };
  return isOther
    ? changed(work, id, { ofVersion: version, ...ended, failures: 1, ...slow })
    : changed(work, id, { ofVersion: version, ...slow }, { failures: 1 });
}

/** Takes note of a success, which closes the breaker; where nothing has failed since the last one, nothing is new. */
export async function noteSuccess(work: Request, id: number, health: Health): Promise<Health> {
  const { failures = 0, openUntil = 0, slow = 0 } = health;
  if (failures === 0 && openUntil === 0 && slow === 0) return health;
  return changed(
    work,
    id,
    { failures: 0, openUntil: 0, openings: 0, slow: 0 },
    { recoveries: 1, ...(openUntil > 0 && { closings: 1 }) },
  );
}

/** Opens the breaker, for twice as long as the last time. */
export async function openBreaker(work: Request, id: number, health: Health, now: number): Promise<Health> {
  const openings = health.openings ?? 0;
  return changed(work, id, { openings: openings + 1, openUntil: now + breakerMs(openings) });
}

/** Leaves the receiver in peace: as it has asked, or since it has had enough. Of two pauses the longer one counts. */
export async function holdBack(
  work: Request,
  { id, version }: { readonly id: number; readonly version: number },
  until: number,
): Promise<Health> {
  const before = await readHealth(work, id);
  if (before?.ofVersion !== version) return changed(work, id, { ofVersion: version, ...ended, askedUntil: until });
  return changed(work, id, { askedUntil: Math.max(before.askedUntil ?? 0, until) });
}

/** Keeps everything back until somebody saves the integration. */
export async function pauseAddon(work: Request, id: number, reason: string): Promise<Health> {
  return changed(work, id, { paused: reason.toWellFormed() });
}

/** Returns an addition that no version has twice, even where the item was removed in between. */
export function riseOfVersion(): { readonly version: number } {
  return { version: 1 + Math.floor(Math.random() * 1_000_000) };
}

async function changed(
  work: Request,
  id: number,
  set: Readonly<Record<string, string | number>>,
  add: Readonly<Record<string, number>> = {},
): Promise<Health> {
  const change = { set, add: { ...add, ...riseOfVersion() } };
  return (await changeItem(work, sendingKeys.addonHealth(id), change)) as unknown as Health;
}

/** The reason for which a lane is run: the doorbell, the sweep, the clock for what waits, or the clock with a probe. */
export type Trigger = 'doorbell' | 'sweep' | 'clock' | 'probe';

/**
 * Returns the time until which an integration of a version may not be tried; undefined where it may.
 * @param by not the doorbell, for a silent receiver; the breaker lets a probe pass.
 */
export function blockOf(health: Health | undefined, version: number, now: number, by: Trigger): number | undefined {
  if (health === undefined || health.ofVersion !== version) return undefined;
  const { paused = '', openUntil = 0, slow = 0 } = health;
  if (paused !== '') return Number.POSITIVE_INFINITY;
  const until = Math.max(by !== 'probe' && isOpen(health, now) ? openUntil : 0, askedUntil(health, version, now));
  if (until > 0) return until;
  return slow === 1 && by === 'doorbell' ? now : undefined;
}

/** Returns the time until which a receiver is left in peace; 0 if it is not. */
export function askedUntil(health: Health | undefined, version: number, now: number): number {
  const { ofVersion, askedUntil: until = 0 } = health ?? {};
  return ofVersion === version && isAhead(until, now, pauseMaxMs) ? until : 0;
}

/** Tells whether the breaker is open. */
export function isOpen({ openUntil = 0 }: Health, now: number): boolean {
  return isAhead(openUntil, now, breakerMaxMs);
}
