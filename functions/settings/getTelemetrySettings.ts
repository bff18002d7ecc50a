import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/telemetry/settings',
  group: 'Telemetry',
  summary: 'Returns the telemetry settings; no telemetry is sent.',
  rights: 'none',
  responses: { 200: object({ versionInfoCollectionEnabled: boolean, featureInfoCollectionEnabled: boolean }) },
}).handle(async () => ({ versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false }));
