import * as v from 'valibot';
import { featureNames } from '../../lib/features/feature-schema.ts';
import { checkArchiving } from '../../lib/features/lifecycle/archive-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, name, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/archive/validate',
  group: 'Features',
  summary: 'Lists the features that others depend on, and tells whether archiving would remove dependencies.',
  permission: 'DELETE_FEATURE',
  rights: 'read',
  body: featureNames,
  responses: {
    200: object({ parentsWithChildFeatures: v.array(name), hasDeletedDependencies: boolean }),
  },
}).handle(({ request, params, body }) => checkArchiving(request, params.projectId, body.features));
