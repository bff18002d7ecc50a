import type { FeatureView } from '../../../lib/features/feature-schema.ts';
import type { ReleasePlanView } from '../../../lib/features/plans/plan-schema.ts';
import type { AnsweredCall, ClientRequest, RequestOf } from './history.ts';
import { isPlanRequest, type planKinds } from './model/plans.ts';

/** Returns the name of a strategy or milestone for a planned request, which cannot know its id: its place among those seen. */
export const placeOf = (place: number) => `#${place}`;

/**
 * The strategies and release plans that clients have seen in answers, added by any client: some are gone by the time that they are named.
 */
export class SeenParts {
  readonly #ids = new Map<string, readonly string[]>();
  readonly #plans = new Map<string, ReleasePlanView>();

  /** Replaces the places of strategies, plans and milestones in a planned request by their ids. */
  naming(request: ClientRequest): ClientRequest {
    if (isPlanRequest(request) && request.kind !== 'add plan') return this.#namingPlan(request);
    if ('strategyId' in request) return { ...request, strategyId: this.#idOf(request, request.strategyId) };
    if (request.kind !== 'order strategies') return request;
    const order = request.order.map((each) => ({ ...each, id: this.#idOf(request, each.id) }));
    return { ...request, order: [...new Map(order.map((each) => [each.id, each])).values()] };
  }

  note(request: ClientRequest, { status, body }: Pick<AnsweredCall['answer'], 'status' | 'body'>): void {
    if (status >= 300) return;
    if (request.kind === 'update' || request.kind === 'clone') {
      const { name, environments } = body as FeatureView;
      for (const { name: environment, strategies, releasePlans } of environments) {
        const ids = strategies.map(({ id }) => id);
        this.#ids.set(keyOf({ feature: name, environment }), ids);
        const [plan] = releasePlans;
        if (plan) this.#plans.set(keyOf({ feature: name, environment }), plan);
      }
    }
    if (request.kind === 'add strategy') {
      const key = keyOf(request);
      this.#ids.set(key, [...(this.#ids.get(key) ?? []), body.id]);
    }
    if (request.kind === 'add plan') this.#plans.set(keyOf(request), body);
  }

  #namingPlan(request: Exclude<RequestOf<(typeof planKinds)[number]>, { kind: 'add plan' }>): ClientRequest {
    const plan = this.#plans.get(keyOf(request));
    const milestoneAt = (place: string) => plan?.milestones[Number(place.slice(1))]?.id ?? 'none';
    switch (request.kind) {
      case 'time milestone': {
        const [milestoneId, targetId] = [milestoneAt(request.milestoneId), milestoneAt(request.targetId)];
        return { ...request, milestoneId, targetId };
      }
      case 'untime milestone':
        return { ...request, milestoneId: milestoneAt(request.milestoneId) };
      case 'start milestone':
        return { ...request, planId: plan?.id ?? 'none', milestoneId: milestoneAt(request.milestoneId) };
      default:
        return { ...request, planId: plan?.id ?? 'none' };
    }
  }

  #idOf(place: Place, planned: string): string {
    const ids = this.#ids.get(keyOf(place)) ?? [];
    return ids[Number(planned.slice(1)) % ids.length] ?? planned;
  }
}

interface Place {
  readonly feature: string;
  readonly environment: string;
}

function keyOf({ feature, environment }: Place): string {
  return `${feature} in ${environment}`;
}
