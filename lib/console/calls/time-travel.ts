import type { FeatureDifference, FeatureThen, RevertPlan } from '../../time-travel/time-travel-schema.ts';
import { change, read } from '../data/declare-call.ts';

const flag = '/api/admin/projects/{projectId}/features/{featureName}';
export const getFeatureThen = read<FeatureThen>()('getFeatureThen', `${flag}/then`);
export const compareFeature = read<FeatureDifference>()('compareFeature', `${flag}/difference`);
export const previewFeatureRevert = read<RevertPlan>()('previewFeatureRevert', `${flag}/revert`);
export const revertFeature = change<unknown, { readonly to: string; readonly environments?: readonly string[] }>()(
  'revertFeature',
  'POST',
  `${flag}/revert`,
);
