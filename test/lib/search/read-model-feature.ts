import { buildNewFeature, type Feature } from '../../../lib/features/feature.ts';
import type { EnvironmentSummary } from '../../../lib/features/items/environment-summary.ts';
import type { ReadModelFeature } from '../../../lib/features/read-model/read-model.ts';

/** Builds a feature of the project `shop` that `alice` created on 1 February, with the properties of a test. */
export function readModelFeature(
  name: string,
  fields: Partial<Feature> = {},
  summaries: Readonly<Record<string, Partial<EnvironmentSummary>>> = {},
): ReadModelFeature {
  const creation = {
    name,
    project: 'shop',
    createdAt: '2026-02-01T10:00:00.000Z',
    createdBy: { id: 7, name: 'alice' },
  };
  const empty = { enabled: false, strategies: 0, enabledStrategies: 0, variants: 0, version: 1 };
  return {
    feature: { ...buildNewFeature(creation), ...fields },
    summaries: new Map(Object.entries(summaries).map(([environment, each]) => [environment, { ...empty, ...each }])),
    isReportedOld: false,
    mark: 0,
  };
}
