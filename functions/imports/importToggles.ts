import { endpoint } from '../../lib/http/endpoint.ts';
import { importData } from '../../lib/imports/import-data-schema.ts';
import { importFeatures } from '../../lib/imports/import-features.ts';

export const handler = endpoint({
  route: 'POST /api/admin/features-batch/import',
  group: 'Import',
  summary: 'Imports features, with everything that belongs to them, into a project and an environment.',
  permission: [
    'UPDATE_FEATURE',
    'CREATE_FEATURE',
    'CREATE_FEATURE_STRATEGY',
    'DELETE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    'UPDATE_FEATURE_DEPENDENCY',
    'CREATE_CONTEXT_FIELD',
    'CREATE_TAG_TYPE',
  ],
  // Which of the others are needed depends on the file and on what there is.
  permissionBy: 'body',
  body: importData,
  bodyLimitVariable: 'IMPORT_BODY_LIMIT_BYTES',
  // One call may write some hundred items; a client that sends parts of a large file one after the other needs less.
  throttle: { ratePerSecond: 10, burst: 20 },
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 200: null },
  errors: [404, 409],
})
  .needs(({ body }) => [{ permission: 'UPDATE_FEATURE', project: body.project }])
  .handle(({ request, caller, body }) => importFeatures(request, caller, body));
