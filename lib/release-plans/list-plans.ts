import type { EnvironmentPath } from '../features/environments/change-environment.ts';
import { readEnvironment } from '../features/environments/read-environment.ts';
import type { PlanPreview, ReleasePlanView } from '../features/plans/plan-schema.ts';
import { previewPlan } from '../features/plans/preview-plan.ts';
import { viewPlan } from '../features/plans/view-plan.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { type PlanPath, requirePlan } from './change-plan.ts';

/**
 * Lists the release plans of a feature in an environment: one or none.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listPlans(request: Request, path: EnvironmentPath): Promise<Versioned<ReleasePlanView[]>> {
  const { value, version } = await readEnvironment(request, path);
  const { plan, nextAt } = value;
  const place = { feature: path.featureName, environment: path.environment };
  return { value: plan === undefined ? [] : [viewPlan(plan, place, nextAt)], version };
}

/**
 * Previews a release plan, as `previewPlan` does.
 * @throws ApiError 404 for an unknown project, environment, feature or plan.
 */
export async function loadPlanPreview(request: Request, path: PlanPath, at: string): Promise<PlanPreview> {
  const { value } = await readEnvironment(request, path);
  return previewPlan(value, requirePlan(value, path), at);
}
