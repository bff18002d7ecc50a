import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/telemetry/settings',
  group: 'Telemetry',
  summary: 'Returns what the service reports about itself to others: nothing.',
  rights: 'none',
  responses: { 200: object({ versionInfoCollectionEnabled: boolean, featureInfoCollectionEnabled: boolean }) },
}).handle(async () => ({ versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false }));
