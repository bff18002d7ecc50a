import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { type BannerInput, endsAfterBeginning, endsTooEarlyMessage, type ShownBanner } from './banner-schema.ts';

/** A message to all users of the admin UI. Unlike in replies, `enabled` is independent of the times at which it is shown. */
export type Banner = Omit<ShownBanner, 'state'>;

export const banners = entity<Banner, number>({
  kind: 'banner',
  idOf: ({ id }) => id,
  codec: codec<Banner>({}),
  counter: 'banner',
  // Every page of the admin UI requests all banners.
  max: 50,
  events: { created: 'banner-created', updated: 'banner-updated', deleted: 'banner-deleted' },
  // Summaries of events call a thing by its `name`.
  eventData: (banner) => ({ ...banner, name: banner.message }),
});

/** Returns a banner as replies show it. The admin UI shows every enabled banner and ignores the times. */
export function bannerView(banner: Banner, at = new Date().toISOString()): ShownBanner {
  const state = stateOf(banner, at);
  return { ...banner, enabled: state === 'shown', state };
}

function stateOf({ enabled, from, to }: Banner, at: string): ShownBanner['state'] {
  if (!enabled) return 'off';
  if (from !== null && at < from) return 'scheduled';
  return to !== null && to <= at ? 'over' : 'shown';
}

export function newBanner({ from = null, to = null, ...input }: BannerInput, id: number, createdAt: string): Banner {
  return { ...input, id, from, to, createdAt };
}

/**
 * Replaces the content of a banner. Omitted times stay. If both are omitted, `enabled` stays as well if it equals the value of a
 * reply, because the admin UI sends it back.
 * @throws ApiError 404 for an unknown banner; 400 if it ends before it begins; 412 if `If-Match` does not match.
 */
export function updateBanner(request: Request, actor: Actor, id: number, { from, to, ...input }: BannerInput) {
  return banners.update(request, actor, id, (before, at) => {
    const isSentBack = from === undefined && to === undefined && input.enabled === (stateOf(before, at) === 'shown');
    const enabled = isSentBack ? before.enabled : input.enabled;
    const times = { from: from === undefined ? before.from : from, to: to === undefined ? before.to : to };
    if (!endsAfterBeginning(times)) throw invalid(endsTooEarlyMessage, 'to');
    return newBanner({ ...input, ...times, enabled }, id, before.createdAt);
  });
}

/**
 * Shows a banner from now on, regardless of its times, or hides it.
 * @throws ApiError 404 for an unknown banner; 412 if `If-Match` does not match.
 */
export function switchBanner(request: Request, actor: Actor, id: number, enabled: boolean): Promise<Versioned<Banner>> {
  return banners.update(request, actor, id, (before, at) => {
    const next = { ...before, enabled };
    const state = stateOf(next, at);
    return { ...next, ...(state === 'scheduled' && { from: null }), ...(state === 'over' && { to: null }) };
  });
}
