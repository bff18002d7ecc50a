import { change } from '../../entity/change.ts';
import { codec } from '../../entity/codec.ts';
import { entity } from '../../entity/entity.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import type { featureType } from '../feature-schema.ts';
import type { FeatureType } from './feature-type-schema.ts';

/** The feature types whose lifetime was changed. */
const changedTypes = entity<FeatureType, string>({
  kind: 'feature type',
  idOf: ({ id }) => id,
  partition: { pk: 'FEATURE_TYPES' },
  codec: codec<FeatureType>({}),
  events: { updated: 'feature-type-updated' },
  eventData: (type) => type,
});

type Content = Omit<FeatureType, 'id'>;

/** All feature types, with Unleash's lifetimes. */
const builtInTypes: Readonly<Record<(typeof featureType.options)[number], Content>> = {
  release: { name: 'Release', description: 'Releases a new piece of functionality step by step.', lifetimeDays: 40 },
  experiment: { name: 'Experiment', description: 'Compares several versions of a thing with users.', lifetimeDays: 40 },
  operational: { name: 'Operational', description: 'Controls how a system behaves in operation.', lifetimeDays: 7 },
  'kill-switch': { name: 'Kill switch', description: 'Switches something off in an emergency.', lifetimeDays: null },
  permission: { name: 'Permission', description: 'Decides what certain users may see or do.', lifetimeDays: null },
  sunset: { name: 'Sunset', description: 'Takes something away from its users step by step.', lifetimeDays: 90 },
};

/** Lists all feature types, always in the same order. */
export async function listFeatureTypes(request: Request): Promise<FeatureType[]> {
  const changed = new Map((await changedTypes.list(request)).map((type) => [type.id, type]));
  return Object.entries(builtInTypes).map(([id, content]) => changed.get(id) ?? { id, ...content });
}

/** The version of a type that was never changed; stored types have higher versions. */
const initialVersion = 1;

const dayMs = 86_400_000;

/**
 * Tells whether a feature is older than the expected lifetime of its type and not marked as stale.
 * @param at the current time in milliseconds.
 */
export function isPotentiallyStale(
  { type, stale, createdAt }: { readonly type: string; readonly stale: boolean; readonly createdAt: string },
  types: readonly FeatureType[],
  at: number,
): boolean {
  const days = types.find(({ id }) => id === type)?.lifetimeDays ?? null;
  return !stale && days !== null && at - Date.parse(createdAt) > days * dayMs;
}

/**
 * Sets the expected lifetime of features of a type, and returns the type.
 * @param typeId the id of the type, in upper or lower case.
 * @param lifetimeDays days; null or 0 for no limit.
 * @throws ApiError 404 for an unknown type; 412 if `If-Match` does not match.
 */
export function updateLifetime(request: Request, actor: Actor, typeId: string, lifetimeDays: number | null) {
  const id = typeId.toLowerCase();
  const content = Object.entries(builtInTypes).find(([builtIn]) => builtIn === id)?.[1];
  if (content === undefined) throw notFound('feature type', typeId);
  return change(request, actor, {
    items: [changedTypes.keyOf(id)],
    read: () => changedTypes.find(request, id),
    revisionOf: (stored) => stored ?? { version: initialVersion },
    decide: (stored, at) => {
      const before = stored ?? { value: { id, ...content }, version: initialVersion };
      const value = { ...before.value, lifetimeDays: lifetimeDays || null };
      const { writes, events } = changedTypes.buildUpdateEffects(before, value);
      if (writes.length === 0) return { writes, events, result: { value, version: before.version } };
      if (stored !== undefined) return { writes, events, result: { value, version: before.version + 1 } };
      const created = changedTypes.buildCreationEffects(value, at, 'retry');
      return { writes: created.writes, events, result: { value, version: created.version } };
    },
  });
}
