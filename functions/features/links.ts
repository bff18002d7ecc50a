import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { addLink, removeLink, updateLink } from '../../lib/features/change-links.ts';
import { linkInput } from '../../lib/features/feature-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';

const flagChange = endpointsOf('Features', { effectsOf: suspendSchedules });

export const createFeatureLink = flagChange({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/link',
  summary: 'Adds a link, such as the address of a ticket, to a feature.',
  description:
    'A feature can have at most 10 links. An address without a scheme gets https://. Other schemes than http and https are refused with 400.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addLink(request, caller, params, body));

export const deleteFeatureLink = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  summary: 'Removes a link from a feature.',
  description: '`linkId` is the `id` of an entry in `links`, which `GET …/features/{featureName}` returns.',
  permission: 'UPDATE_FEATURE',
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params }) => removeLink(request, caller, params));

export const updateFeatureLink = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  summary: 'Updates a link of a feature. An omitted title keeps its value.',
  description: '`linkId` is the `id` of an entry in `links`, which `GET …/features/{featureName}` returns.',
  permission: 'UPDATE_FEATURE',
  body: linkInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => updateLink(request, caller, params, body));
