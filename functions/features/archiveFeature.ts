import { changeFeature } from '../../lib/features/change-feature.ts';
import { archiving } from '../../lib/features/lifecycle/archive-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}',
  group: 'Features',
  summary: 'Archives a feature that no other feature depends on.',
  permission: 'DELETE_FEATURE',
  responses: { 202: null },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params }) => changeFeature(request, caller, archiving(request, params)));
