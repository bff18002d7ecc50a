import { endpointsOf } from '../../lib/http/endpoint.ts';
import * as exporting from '../../lib/imports/export-features.ts';
import { exportedFeatures, exportQuery } from '../../lib/imports/export-schema.ts';
import { importData, importValidation } from '../../lib/imports/import-data-schema.ts';
import { importFeatures } from '../../lib/imports/import-features.ts';
import * as validation from '../../lib/imports/validate-import.ts';

const endpoint = endpointsOf('Import');

export const exportFeatures = endpoint({
  route: 'POST /api/admin/features-batch/export',
  summary: 'Exports the configuration of features in an environment, with everything that an import needs.',
  description:
    '`features` selects features by name, `tag` by tag, and `project` by project; the first of these that is given applies. Without them, it exports all features that are not archived. With `downloadFile`, browsers save the reply as a file.',
  rights: 'read',
  body: exportQuery,
  // One call may read thousands of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: exportedFeatures },
  errors: [404],
}).handle(
  ({ request, body }) => exporting.exportFeatures(request, body),
  (_, { body }) =>
    body.downloadFile ? { headers: { 'content-disposition': 'attachment; filename="export.json"' } } : {},
);

export const importToggles = endpoint({
  route: 'POST /api/admin/features-batch/import',
  summary: 'Imports features, and everything that belongs to them, into a project and an environment.',
  description: 'Features that are archived here are skipped, with a warning.',
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
  // The other permissions that are needed depend on the file and on the existing things.
  permissionBy: 'body',
  body: importData,
  bodyLimitVariable: 'IMPORT_BODY_LIMIT_BYTES',
  // A call may write some hundred items. A client that sends the parts of a large file one after the other stays below this limit.
  throttle: { ratePerSecond: 10, burst: 20 },
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 200: null },
  errors: [404, 409],
})
  .needs(({ body }) => [{ permission: 'UPDATE_FEATURE', project: body.project }])
  .handle(({ request, caller, body }) => importFeatures(request, caller, body));

export const validateImport = endpoint({
  route: 'POST /api/admin/features-batch/validate',
  summary:
    'Checks an import: lists its errors, the features that it would replace, and the permissions that the caller lacks.',
  description:
    'The body is that of `/api/admin/features-batch/import`, which refuses a body with errors. Warnings do not stop an import. Nothing is changed.',
  permission: 'NONE',
  rights: 'read',
  body: importData,
  bodyLimitVariable: 'IMPORT_BODY_LIMIT_BYTES',
  throttle: { ratePerSecond: 10, burst: 20 },
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 200: importValidation },
  errors: [404],
}).handle(({ request, caller, body }) => validation.validateImport(request, caller, body));
