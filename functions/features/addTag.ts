import { addTag } from '../../lib/features/add-tag.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { tag, tagInput } from '../../lib/schemas/tag.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/features/{featureName}/tags',
  tag: 'Features',
  summary: 'Adds a tag to a feature.',
  permission: 'UPDATE_FEATURE',
  // The project in which it must hold is that of the feature.
  authorizedBy: 'handler',
  body: tagInput,
  responses: { 201: tag },
  errors: [404],
}).handle(async ({ table, caller, params: { featureName }, body }) => ({
  status: 201,
  headers: { location: `/api/admin/features/${encodeURIComponent(featureName)}/tags` },
  body: await addTag(table, caller, featureName, body),
}));
