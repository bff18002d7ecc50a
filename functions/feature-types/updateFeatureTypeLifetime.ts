import { updateLifetime } from '../../lib/feature-types/feature-types.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { featureTypeView, lifetimeInput } from '../../lib/schemas/feature-type.ts';

export const handler = endpoint({
  method: 'PUT',
  path: '/api/admin/feature-types/{id}/lifetime',
  group: 'Feature Types',
  summary: 'Sets after how many days a feature of a type is likely to be stale; null, or 0, for never.',
  permission: 'ADMIN',
  body: lifetimeInput,
  responses: { 200: featureTypeView },
  etag: true,
  errors: [404],
}).handle(({ request, caller, params, body }) => updateLifetime(request, caller, params.id, body.lifetimeDays));
