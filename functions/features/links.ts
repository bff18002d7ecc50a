import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { addLink, removeLink, updateLink } from '../../lib/features/change-links.ts';
import { linkInput } from '../../lib/features/feature-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const createFeatureLink = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/link',
  summary: 'Adds a link to a feature, e.g. to its ticket.',
  description: 'A feature has at most 10 links. An address that is not one of http or https is a 400.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addLink(request, caller, params, body));

export const deleteFeatureLink = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  summary: 'Removes a link from a feature.',
  description: 'The id is that of `links` in `GET …/features/{featureName}`.',
  permission: 'UPDATE_FEATURE',
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params }) => removeLink(request, caller, params));

export const updateFeatureLink = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  summary: 'Updates a link of a feature; an omitted title stays as it is.',
  description: 'The id is that of `links` in `GET …/features/{featureName}`.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => updateLink(request, caller, params, body));
