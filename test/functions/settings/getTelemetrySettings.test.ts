import { specify } from '../../specifications/specify.ts';

specify('getTelemetrySettings', {
  route: 'GET /api/admin/telemetry/settings',
  may: 'any token',
  request: () => ({}),
});
