import { systemUser } from '../../events/actor.ts';
import { type NewEvent, stampEvents } from '../../events/event.ts';
import { ensureEventIds, takeEventIds } from '../../events/event-ids.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import { loadHeads, loadParts } from '../feature-store.ts';
import { type FeatureHead, parseTags } from '../items/feature-items.ts';
import { buildHeadWrites } from '../items/own-write.ts';
import type { FeatureType } from '../types/feature-type-schema.ts';
import { isPotentiallyStale } from '../types/feature-types.ts';

/**
 * Reports with an event that a feature is older than the expected lifetime of its type, only once for all processes.
 * As on Unleash, the report is withdrawn without an event if the type or its lifetime changes.
 * @throws ApiError 503 if the store is unreachable or the feature stays contended.
 */
export async function reportAge(request: Request, name: string, types: readonly FeatureType[]): Promise<void> {
  await retryLostRaces(request, async () => {
    const head = (await loadHeads(request, [name])).get(name);
    if (head === undefined || head.archivedAt !== null) return;
    const isOld = isPotentiallyStale(head.own, types, Date.now());
    if (isOld === (head.own.potentiallyStale ?? false)) return;
    const tags = parseTags(head.own, (await loadParts(request, head, ['tags'])).get('tags'));
    const events = isOld ? await buildAgeEvents(request, head) : [];
    await transact(
      request,
      buildHeadWrites(request, head, { attributes: { potentiallyStale: isOld } }, tags, events),
      undefined,
    );
  });
}

async function buildAgeEvents(request: Request, { name, project, revision }: FeatureHead) {
  const ids = await ensureEventIds(request, await takeEventIds(request, 1), 1, revision.lastEventId);
  const event: NewEvent = { type: 'feature-potentially-stale-on', featureName: name, project };
  return stampEvents([event], ids.first, systemUser, new Date().toISOString());
}
