import type { FeatureChange } from '../features/feature-change.ts';

/**
 * The changes in stages, so that a feature never exists before the parents that the same import creates: those of a
 * stage need only what the stages before it have made. Features that depend on each other in a circle come last, together.
 */
export function inStages(changes: readonly FeatureChange[]): FeatureChange[][] {
  const stages: FeatureChange[][] = [];
  let waiting = [...changes];
  while (waiting.length > 0) {
    const unborn = new Set(waiting.filter(({ stored }) => stored === undefined).map(({ after }) => after.name));
    const isReady = ({ after }: FeatureChange) => !after.dependencies.some(({ feature }) => unborn.has(feature));
    const ready = waiting.filter(isReady);
    stages.push(ready.length > 0 ? ready : waiting);
    waiting = ready.length > 0 ? waiting.filter((change) => !isReady(change)) : [];
  }
  return stages;
}
