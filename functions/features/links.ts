import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { addLink, removeLink, updateLink } from '../../lib/features/change-links.ts';
import { linkInput } from '../../lib/features/feature-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const createFeatureLink = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/link',
  summary: 'Adds a link to a feature, for example to its ticket.',
  description:
    'A feature can have at most 10 links. The reply is 400 unless the address begins with http:// or https://.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addLink(request, caller, params, body));

export const deleteFeatureLink = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  summary: 'Removes a link from a feature.',
  description: '`linkId` is an `id` in `links` of `GET …/features/{featureName}`.',
  permission: 'UPDATE_FEATURE',
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params }) => removeLink(request, caller, params));

export const updateFeatureLink = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  summary: 'Updates a link of a feature. An omitted title keeps its value.',
  description: '`linkId` is an `id` in `links` of `GET …/features/{featureName}`.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => updateLink(request, caller, params, body));
