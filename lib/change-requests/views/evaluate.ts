import { evaluateForMany } from '../../delivery/playground.ts';
import type { PlaygroundContext } from '../../delivery/playground-schema.ts';
import { notFound } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import { isHidden, type Request } from '../../request.ts';
import type { Segment } from '../../segments/segments.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { changeRequests, isVisibleTo } from '../change-requests.ts';
import { loadRequestPlan } from '../plan/load-plan.ts';
import { planRequest } from '../plan/plan.ts';

/**
 * Evaluates the features of a request as they would be after its application, and explains the results.
 * @throws ApiError 404 for an unknown request; 400 for too many evaluations.
 */
export async function evaluateChangeRequest(request: Request, caller: Caller, id: number, context: PlaygroundContext) {
  const changeRequest = (await changeRequests.find(request, id))?.value;
  if (changeRequest === undefined || isHidden(request, changeRequest.project) || !isVisibleTo(caller, changeRequest))
    throw notFound('change request', id);
  const plan = await retryLostRaces(request, async () =>
    planRequest(request, await loadRequestPlan(request, changeRequest), new Date().toISOString()),
  );
  const names = new Set(changeRequest.changes.flatMap(({ feature }) => feature ?? []));
  const input = { projects: [changeRequest.project], environments: [changeRequest.environment], context };
  const answer = await evaluateForMany(request, input, {
    features: plan.features.flatMap(({ after }) => after ?? []),
    segments: new Map(
      plan.segments.flatMap(({ id: segment, events }) =>
        events.flatMap(({ data }) => (data ? [[segment, data as unknown as Segment] as const] : [])),
      ),
    ),
  });
  return { ...answer, features: answer.features.filter(({ name }) => names.size === 0 || names.has(name)) };
}
