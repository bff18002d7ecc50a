import { evaluateForMany } from '../../delivery/playground.ts';
import type { PlaygroundContext } from '../../delivery/playground-schema.ts';
import { notFound } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import { isHidden, type Request } from '../../request.ts';
import type { Segment } from '../../segments/segments.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { changeRequests, isShownTo } from '../change-requests.ts';
import { loadRequestPlan, planRequest } from '../plan/plan.ts';

/**
 * Evaluates the features that a request changes, as it would leave them, and explains the results.
 * @throws ApiError 404 for an unknown request; 400 for too many evaluations.
 */
export async function evaluateChangeRequest(request: Request, caller: Caller, id: number, context: PlaygroundContext) {
  const found = (await changeRequests.find(request, id))?.value;
  if (found === undefined || isHidden(request, found.project) || !isShownTo(caller, found))
    throw notFound('change request', id);
  const plan = await retryLostRaces(request, async () =>
    planRequest(request, await loadRequestPlan(request, found), new Date().toISOString()),
  );
  const names = new Set(found.changes.flatMap(({ feature }) => feature ?? []));
  const input = { projects: [found.project], environments: [found.environment], context };
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
