import { buildContent, toShownQuery } from '../../lib/delivery/client-features.ts';
import { loadFreshSnapshot } from '../../lib/delivery/snapshot/load-snapshot.ts';
import type { DeliveredFeature } from '../../lib/features/items/delivered-feature.ts';
import type { Request } from '../../lib/request.ts';

/** The features by name, and the segments by id, that SDKs of an environment get now. */
export interface DeliveredNow {
  readonly features: ReadonlyMap<string, DeliveredFeature>;
  readonly segments: ReadonlyMap<number, { readonly id: number }>;
}

/** Reads the features of an environment like the endpoint for SDKs, but without the second for which that keeps answers. */
export async function readDelivered(request: Request, environment: string): Promise<DeliveredNow> {
  const scope = { projects: ['*'], environment };
  const content = buildContent(
    await loadFreshSnapshot(request, scope),
    toShownQuery(scope, { query: {}, segmentsApart: true }),
  );
  const parsed = JSON.parse(JSON.stringify(content)) as {
    features: DeliveredFeature[];
    segments: { id: number }[];
  };
  return {
    features: new Map(parsed.features.map((feature) => [feature.name, feature])),
    segments: new Map(parsed.segments.map((segment) => [segment.id, segment])),
  };
}
