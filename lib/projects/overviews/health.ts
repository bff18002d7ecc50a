import type { FeatureCounts } from '../ledger.ts';

/** Returns the health of a project: the percentage of its live features that are not stale, and the remaining debt. */
export function healthOf({ live, stale }: Pick<FeatureCounts, 'live' | 'stale'>) {
  const health = live === 0 ? 100 : Math.round(100 - (100 * stale) / live);
  return { health, technicalDebt: 100 - health };
}
