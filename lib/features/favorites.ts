import type { FlagRequest } from '../entity/effects.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { queryAll, readItem } from '../store/read.ts';
import { changeFeature } from './change-feature.ts';
import { planLiveChange } from './change-live.ts';
import type { Feature, FeaturePath } from './feature.ts';
import { featureFavorited } from './feature-events.ts';
import * as featureKeys from './keys.ts';

/** Item of a favorite. A later feature of the same name, with another time of creation, is no favorite. */
interface FavoriteItem {
  readonly createdAt: string;
}

/** Tells whether a feature is a favorite of a user. */
export type IsFavorite = (feature: Pick<Feature, 'name' | 'createdAt'>) => boolean;

/** Reads all favorites of a user. */
export async function loadFavorites(request: Request, user: Pick<Actor, 'id'>): Promise<IsFavorite> {
  const { pk, prefix } = featureKeys.favoriteFeatures(user.id);
  const items = await queryAll<FavoriteItem & { readonly sk: string }>(request, { pk, prefix });
  const createdAt = new Map(items.map((item) => [item.sk.slice(prefix.length), item.createdAt]));
  return (feature) => createdAt.get(feature.name) === feature.createdAt;
}

/** Reads whether the feature of a name is a favorite of a user. */
export async function loadIsFavorite(request: Request, user: Pick<Actor, 'id'>, name: string): Promise<IsFavorite> {
  const item = await readItem<FavoriteItem>(request, featureKeys.favoriteFeature(user.id, name));
  return ({ createdAt }) => item?.createdAt === createdAt;
}

/**
 * Makes a feature a favorite of the user, or no longer one; does nothing if that is the case already.
 * @throws ApiError 404 for an unknown project or feature.
 */
export function setFavorite(request: FlagRequest, user: Actor, path: FeaturePath, favorite: boolean) {
  const key = featureKeys.favoriteFeature(user.id, path.featureName);
  const change = planLiveChange(request, path, {
    mayBeArchived: true,
    read: () => loadIsFavorite(request, user, path.featureName),
    decide: ({ feature, facts: isFavorite }) => {
      const unchanged = { after: feature, value: undefined };
      if (isFavorite(feature) === favorite) return { ...unchanged, events: [] };
      const item = { createdAt: feature.createdAt };
      return {
        ...unchanged,
        events: [featureFavorited(feature, favorite)],
        sideEffects: { writes: [favorite ? { put: key, item } : { remove: key }], events: [] },
      };
    },
  });
  return changeFeature(request, user, change);
}
