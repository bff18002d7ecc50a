import { endpoint } from '../../lib/http/endpoint.ts';
import { importData, importValidation } from '../../lib/imports/import-data-schema.ts';
import { validateImport } from '../../lib/imports/validate-import.ts';

export const handler = endpoint({
  route: 'POST /api/admin/features-batch/validate',
  group: 'Import',
  summary: 'Checks an import: lists its errors, the features that it would replace and the permissions that you lack.',
  permission: 'NONE',
  rights: 'read',
  body: importData,
  bodyLimitVariable: 'IMPORT_BODY_LIMIT_BYTES',
  throttle: { ratePerSecond: 10, burst: 20 },
  reads: ['PROJECT_FEATURES_LIMIT', 'PROJECT_FEATURES_WARNING'],
  responses: { 200: importValidation },
  errors: [404],
}).handle(({ request, caller, body }) => validateImport(request, caller, body));
