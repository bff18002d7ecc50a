import type { Request } from '../../request.ts';
import { changeItem } from '../../store/change-item.ts';
import { readItem } from '../../store/read.ts';
import * as sendingKeys from './keys.ts';
import { breakerMs } from './schedule.ts';

/** The troubles of an integration; there are none where the item is missing. Times are in milliseconds since 1970. */
export interface Health {
  /** Rises with every change. */
  readonly version: number;
  /** The version of the integration that the troubles are about: saving it ends them. */
  readonly ofVersion?: number;
  /** The first failure since the last success. */
  readonly failingSince?: number;
  readonly lastSuccessAt?: number;
  /** Until then nothing is tried. */
  readonly openUntil?: number;
  /** The receiver is left in peace until then. */
  readonly askedUntil?: number;
  /** The openings of the breaker since the last success. */
  readonly openings?: number;
  /** The time at which the breaker closed, so that everything it held back is due. */
  readonly closedAt?: number;
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
  now: number,
  { isSilence, isAnswered }: { readonly isSilence: boolean; readonly isAnswered: boolean },
): Promise<Health> {
  const before = await readHealth(work, id);
  const isFirst = (before?.lastSuccessAt ?? 0) >= (before?.failingSince ?? 0);
  const isOther = before?.ofVersion !== version;
  return changed(work, id, {
    ofVersion: version,
    ...((isFirst || isOther) && { failingSince: now }),
    ...(isOther && ended),
    ...((isSilence || isAnswered) && { slow: isSilence ? 1 : 0 }),
  });
}

/** Takes note of a success, which closes the breaker. */
export async function noteSuccess(work: Request, id: number, health: Health, now: number): Promise<Health> {
  const wasOpen = (health.openUntil ?? 0) > 0;
  return changed(work, id, {
    lastSuccessAt: now,
    openUntil: 0,
    openings: 0,
    slow: 0,
    ...(wasOpen && { closedAt: now }),
  });
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

async function changed(work: Request, id: number, set: Readonly<Record<string, string | number>>): Promise<Health> {
  return (await changeItem(work, sendingKeys.addonHealth(id), { set, add: riseOfVersion() })) as unknown as Health;
}

/** Somebody who has a lane run: the doorbell, the sweep, the clock for what waits, or the clock with a probe. */
export type Caller = 'doorbell' | 'sweep' | 'clock' | 'probe';

/**
 * Returns the time until which an integration of a version may not be tried; undefined where it may.
 * @param by not the doorbell, for a silent receiver; the breaker lets a probe pass.
 */
export function blockOf(health: Health | undefined, version: number, now: number, by: Caller): number | undefined {
  if (health === undefined || health.ofVersion !== version) return undefined;
  const { paused = '', openUntil = 0, askedUntil = 0, slow = 0 } = health;
  if (paused !== '') return Number.POSITIVE_INFINITY;
  const until = Math.max(by === 'probe' ? 0 : openUntil, askedUntil);
  if (until > now) return until;
  return slow === 1 && by === 'doorbell' ? now : undefined;
}
