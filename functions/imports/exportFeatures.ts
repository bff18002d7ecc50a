import { endpoint } from '../../lib/http/endpoint.ts';
import { exportFeatures } from '../../lib/imports/export-features.ts';
import { exportedFeatures, exportQuery } from '../../lib/imports/import-data-schema.ts';

export const handler = endpoint({
  route: 'POST /api/admin/features-batch/export',
  group: 'Import',
  summary: 'Exports the configuration of features in an environment, with everything that an import needs.',
  description:
    'Of the named features, those with a tag and those of a project, the first that is asked for counts; without any, ' +
    'all are exported that are not archived. With `downloadFile` a browser saves the answer.',
  rights: 'read',
  body: exportQuery,
  // One call may read thousands of features.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: exportedFeatures },
  errors: [404],
}).handle(
  ({ request, body }) => exportFeatures(request, body),
  (_, { body }) =>
    body.downloadFile ? { headers: { 'content-disposition': 'attachment; filename="export.json"' } } : {},
);
