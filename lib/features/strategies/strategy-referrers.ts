import { type Reference, type Referrer, referenceWrites } from '../../entity/references.ts';
import type { SegmentUse } from '../../segments/segments.ts';
import type { Write } from '../../store/transactions/write.ts';
import { strategyReferences } from './strategy-references.ts';
import type { Strategy } from './strategy-schema.ts';

interface Place {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
}

/** Strategies, and the project that their feature is in. */
interface PlacedStrategies extends Pick<Place, 'project'> {
  readonly strategies: readonly Strategy[];
}

/**
 * Returns the writes that record the users of segments and strategy types: a feature in an environment is one user of
 * each.
 */
export function strategyReferenceWrites(
  place: Omit<Place, 'project'>,
  before: PlacedStrategies,
  after: PlacedStrategies,
): Write[] {
  const references = ({ project, strategies }: PlacedStrategies) => referencesOf({ ...place, project }, strategies);
  return referenceWrites(references(before), references(after));
}

/** Returns the references of a feature in an environment, with the strategies that make them. */
export function referencesOf({ project, feature, environment }: Place, strategies: readonly Strategy[]): Reference[] {
  const referrer = (users: readonly Strategy[]): Referrer & { readonly details: SegmentUse } => ({
    by: `${feature}#${environment}`,
    name: `the feature "${feature}" in "${environment}"`,
    details: { project, feature, environment, strategies: users.map(({ id, name }) => ({ id, name })) },
  });
  return strategyReferences(strategies, project, referrer);
}
