import type { InferOutput } from 'valibot';
import type { AdvancedPlaygroundRequest, advancedPlayground } from '../../delivery/playground-schema.ts';
import type { ReleasePlanView } from '../../features/plans/plan-schema.ts';
import { change, read } from '../data/declare-call.ts';

export type PlaygroundAnswer = InferOutput<typeof advancedPlayground>;

export const getAdvancedPlayground = change<PlaygroundAnswer, AdvancedPlaygroundRequest>()(
  'getAdvancedPlayground',
  'POST',
  '/api/admin/playground/advanced',
);

export const getReleasePlans = read<readonly ReleasePlanView[]>()(
  'getReleasePlans',
  '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans',
);
