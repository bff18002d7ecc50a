import type { FeatureCounts } from '../../features/items/feature-counts.ts';

/** How much of a project is kept up: the share of its live features that are not stale, in percent, and the rest of it. */
export function healthOf({ live, stale }: Pick<FeatureCounts, 'live' | 'stale'>) {
  const health = live === 0 ? 100 : Math.round(100 - (100 * stale) / live);
  return { health, technicalDebt: 100 - health };
}
