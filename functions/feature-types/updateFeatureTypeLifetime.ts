import { featureTypeView, lifetimeInput } from '../../lib/features/types/feature-type-schema.ts';
import { updateLifetime } from '../../lib/features/types/feature-types.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/feature-types/{id}/lifetime',
  group: 'Feature Types',
  summary: 'Sets the days after which a feature of a type is likely to be stale; null or 0 means never.',
  permission: 'ADMIN',
  body: lifetimeInput,
  responses: { 200: featureTypeView },
  etag: true,
}).handle(({ request, caller, params, body }) => updateLifetime(request, caller, params.id, body.lifetimeDays));
