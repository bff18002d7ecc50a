import type { FeatureChange } from '../features/feature-change.ts';
import { inDependencyOrder } from './dependency-order.ts';

/**
 * The changes in stages, so that a feature never exists before the parents that the same import creates: those of a
 * stage need only what the stages before it have made. Features that depend on each other in a circle come last.
 */
export function inStages(changes: readonly FeatureChange[]): FeatureChange[][] {
  const noRevision = new Set(changes.filter(({ stored }) => stored === undefined).map(({ after }) => after.name));
  const { stages, circular } = inDependencyOrder(
    changes,
    ({ after }) => after.name,
    ({ after }) => after.dependencies.map(({ feature }) => feature).filter((parent) => noRevision.has(parent)),
  );
  return [...stages, ...(circular.length > 0 ? [[...circular]] : [])];
}
