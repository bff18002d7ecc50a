import * as v from 'valibot';
import { featureTypeView, lifetimeInput } from '../../lib/features/types/feature-type-schema.ts';
import { listFeatureTypes, updateLifetime } from '../../lib/features/types/feature-types.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Feature Types');

export const getAllFeatureTypes = endpoint({
  route: 'GET /api/admin/feature-types',
  summary: 'Lists all feature types.',
  description:
    'After `lifetimeDays`, a feature of the type is marked as potentially stale; null means never. Only the lifetimes can be changed.',
  responses: { 200: object({ version: v.literal(1), types: v.array(featureTypeView) }) },
}).handle(async ({ request }) => ({ version: 1 as const, types: await listFeatureTypes(request) }));

export const updateFeatureTypeLifetime = endpoint({
  route: 'PUT /api/admin/feature-types/{id}/lifetime',
  summary: 'Sets the days after which a feature of a type is potentially stale; null or 0 means never.',
  description: 'Admin UIs show this; SDKs are not affected. `id` is an id of `GET /api/admin/feature-types`.',
  permission: 'ADMIN',
  body: lifetimeInput,
  responses: { 200: featureTypeView },
  etag: true,
}).handle(({ request, caller, params, body }) => updateLifetime(request, caller, params.id, body.lifetimeDays));
