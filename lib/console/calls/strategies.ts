import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { StrategyOrder, StrategyView } from '../../features/strategies/strategy-schema.ts';
import { change } from '../data/declare-call.ts';

export interface StrategyBody {
  readonly name: string;
  readonly title: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly segments: Readonly<StrategyView['segments']>;
  readonly constraints: Readonly<StrategyView['constraints']>;
  readonly variants: Readonly<StrategyView['variants']>;
}

/** Replaces the variants that a flag has besides those of its strategies. */
export const overwriteEnvironmentFeatureVariants = change<unknown, FeatureEnvironmentView['variants']>()(
  'overwriteEnvironmentFeatureVariants',
  'PUT',
  '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
);

const strategies = '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies';
export const addFeatureStrategy = change<unknown, StrategyBody>()('addFeatureStrategy', 'POST', strategies);
export const updateFeatureStrategy = change<unknown, StrategyBody>()(
  'updateFeatureStrategy',
  'PUT',
  `${strategies}/{strategyId}`,
);
export const deleteFeatureStrategy = change()('deleteFeatureStrategy', 'DELETE', `${strategies}/{strategyId}`);
export const setStrategySortOrder = change<unknown, StrategyOrder>()(
  'setStrategySortOrder',
  'POST',
  `${strategies}/set-sort-order`,
);
