import * as v from 'valibot';
import { cloneFeature } from '../../lib/features/clone-feature.ts';
import { feature } from '../../lib/features/feature-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, name, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/clone',
  group: 'Features',
  summary: 'Clones a feature. The copy is off in all environments and has no tags.',
  permission: 'CREATE_FEATURE',
  body: object({ name, replaceGroupId: v.optional(boolean, true) }),
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 201: feature },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => cloneFeature(request, caller, params, body),
  ({ project, name: created }) => ({
    headers: { location: `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(created)}` },
  }),
);
