import type { FeatureView } from '../../../lib/features/feature-schema.ts';
import type { AnsweredCall, ClientRequest } from './history.ts';

/** Returns the name of a strategy in a plan, which cannot know its id: its place among the strategies seen. */
export const placeOf = (place: number) => `#${place}`;

/** The strategies that clients have seen in answers, added by any client: some are deleted by the time that they are named. */
export class SeenStrategies {
  readonly #ids = new Map<string, readonly string[]>();

  /** Replaces the places of strategies in a planned request by their ids. */
  naming(request: ClientRequest): ClientRequest {
    if ('strategyId' in request) return { ...request, strategyId: this.#idOf(request, request.strategyId) };
    if (request.kind !== 'order strategies') return request;
    const order = request.order.map((each) => ({ ...each, id: this.#idOf(request, each.id) }));
    return { ...request, order: [...new Map(order.map((each) => [each.id, each])).values()] };
  }

  note(request: ClientRequest, { status, body }: Pick<AnsweredCall['answer'], 'status' | 'body'>): void {
    if (status >= 300) return;
    if (request.kind === 'update' || request.kind === 'clone') {
      const { name, environments } = body as FeatureView;
      for (const { name: environment, strategies } of environments) {
        const ids = strategies.map(({ id }) => id);
        this.#ids.set(keyOf({ feature: name, environment }), ids);
      }
    }
    if (request.kind === 'add strategy') {
      const key = keyOf(request);
      this.#ids.set(key, [...(this.#ids.get(key) ?? []), body.id]);
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
