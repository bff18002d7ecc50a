import { LostRace } from '../../store/transactions/lost-race.ts';
import { type EnvironmentSummary, type FeatureEnvironmentItem, type FeatureItem, summaryOf } from './feature-items.ts';
import type { WrittenItem } from './written-item.ts';

/** A feature's own item as release 0.1 wrote it, with all parts in it. */
export interface FirstFeatureItem extends Omit<FeatureItem, 'environments' | 'parts'> {
  /** JSON: pairs of an environment and the version that wrote its item. */
  readonly environmentVersions: string;
}

/** An environment's item as release 0.1 wrote it. */
interface FirstEnvironmentItem extends FeatureEnvironmentItem {
  readonly enabled?: boolean;
}

export function isOfFirstLayout(item: WrittenItem<FeatureItem> | FirstFeatureItem): item is FirstFeatureItem {
  return !('environments' in item);
}

/**
 * The item as this release would read it. It has no `layout` yet: that comes with what else is to be written.
 * @param environments the items of all environments.
 * @throws LostRace when the items are not of one moment.
 */
export function upgraded(
  { environmentVersions, ...own }: FirstFeatureItem,
  environments: ReadonlyMap<string, FirstEnvironmentItem>,
  childCount: number,
): FeatureItem {
  const versions = new Map<string, number>(JSON.parse(environmentVersions));
  if (versions.size !== environments.size) throw new LostRace();
  const summaries = [...environments].map(([name, item]): [string, EnvironmentSummary] => {
    const { enabled = false, strategies, variants, version } = item;
    if (versions.get(name) !== version) throw new LostRace();
    const state = { enabled, strategies: JSON.parse(strategies), variants: JSON.parse(variants) };
    return [name, summaryOf(state, version)];
  });
  return { ...own, childCount, environments: JSON.stringify(summaries), parts: '[]' };
}
