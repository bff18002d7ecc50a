import type { FlagRequest } from '../entity/step.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { queryAll, readItem } from '../store/read.ts';
import { changeFeature } from './change-feature.ts';
import { planLiveChange } from './change-live.ts';
import type { Feature } from './feature.ts';
import { featureFavorited } from './feature-events.ts';
import * as featureKeys from './keys.ts';
import type { MetadataPlace } from './update-feature.ts';

/** Mark of a favorite: of this feature, not of a later one of the same name. */
interface FavoriteItem {
  readonly createdAt: string;
}

/** Fields that tell a feature from earlier and later ones of its name. */
type Known = Pick<Feature, 'name' | 'createdAt'>;

/** Tells whether a feature is a favorite of a user. */
export type IsFavorite = (feature: Known) => boolean;

/** Returns the favorites of a user, for a list of features. */
export async function loadFavorites(request: Request, user: Pick<Actor, 'id'>): Promise<IsFavorite> {
  const { pk, prefix } = featureKeys.favoriteFeatures(user.id);
  const items = await queryAll<FavoriteItem & { readonly sk: string }>(request, { pk, prefix });
  const createdAt = new Map(items.map((item) => [item.sk.slice(prefix.length), item.createdAt]));
  return (feature) => createdAt.get(feature.name) === feature.createdAt;
}

/** Reads whether one feature is a favorite of a user. */
export async function favoriteOf(request: Request, user: Pick<Actor, 'id'>, name: string): Promise<IsFavorite> {
  const item = await readItem<FavoriteItem>(request, featureKeys.favoriteFeature(user.id, name));
  return ({ createdAt }) => item?.createdAt === createdAt;
}

/**
 * Makes a feature a favorite of the user, or ends it; nothing happens where it is so already.
 * @throws ApiError 404 for an unknown project or feature.
 */
export function setFavorite(request: FlagRequest, user: Actor, place: MetadataPlace, favorite: boolean) {
  const key = featureKeys.favoriteFeature(user.id, place.featureName);
  const change = planLiveChange(request, place, {
    read: () => favoriteOf(request, user, place.featureName),
    decide: ({ feature, more: isFavorite }) => {
      const unchanged = { after: feature, value: undefined };
      if (isFavorite(feature) === favorite) return { ...unchanged, events: [] };
      const item = { createdAt: feature.createdAt };
      return {
        ...unchanged,
        events: [featureFavorited(feature, favorite)],
        besides: { writes: [favorite ? { put: key, item } : { remove: key }], events: [] },
      };
    },
  });
  return changeFeature(request, user, change);
}
