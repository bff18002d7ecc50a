import { createFeature } from '../../lib/features/create-feature.ts';
import { feature, featureInput } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features',
  group: 'Features',
  summary: 'Creates a feature, off in all environments of the project.',
  permission: 'CREATE_FEATURE',
  body: featureInput,
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 201: feature },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => createFeature(request, caller, params.projectId, body),
  ({ project, name }) => ({
    headers: { location: `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}` },
  }),
);
