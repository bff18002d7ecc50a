import type { ContextField } from '../../context-fields/context-field-schema.ts';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { change, read } from '../data/declare-call.ts';

export interface StrategyBody {
  readonly name: string;
  readonly title: string | null;
  readonly parameters: Readonly<Record<string, string>>;
}

const strategies = '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies';
export const addFeatureStrategy = change<unknown, StrategyBody>()('addFeatureStrategy', 'POST', strategies);
export const updateFeatureStrategy = change<unknown, StrategyBody>()(
  'updateFeatureStrategy',
  'PUT',
  `${strategies}/{strategyId}`,
);
export const getContextFields = read<readonly ContextField[]>()('getContextFields', '/api/admin/context');
export const getSegments = read<{ readonly segments: readonly ShownSegment[] }>()('getSegments', '/api/admin/segments');
