import { endpoint } from '../../lib/http/endpoint.ts';
import { frontendOrigins } from '../../lib/http/origins.ts';
import { version } from '../../lib/http/version.ts';
import { uiConfig } from '../../lib/schemas/ui-config.ts';
import { loadFrontendSettings } from '../../lib/settings/frontend-origins.ts';
import { loadMaintenance } from '../../lib/settings/maintenance.ts';
import { resourceLimits } from '../../lib/settings/resource-limits.ts';
import { takesPasswords } from '../../lib/sign-in/ways.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/api/admin/ui-config',
  group: 'Admin UI',
  summary: 'Returns what an admin UI has to know of the service.',
  responses: { 200: uiConfig },
}).handle(async ({ table, header }) => {
  const [maintenance, frontend, hasPasswords] = await Promise.all([
    loadMaintenance(table),
    loadFrontendSettings(table),
    takesPasswords(table),
  ]);
  return {
    name: 'Flagstaff',
    // With these two, Unleash's admin UI shows its Enterprise pages: environments, roles, groups and so on.
    environment: 'Enterprise',
    version,
    versionInfo: { current: { oss: version, enterprise: version }, latest: {}, isLatest: true },
    unleashUrl: `${header('x-forwarded-proto') ?? 'http'}://${header('host') ?? 'localhost'}`,
    baseUriPath: '',
    authenticationType: 'open-source',
    disablePasswordAuth: !hasPasswords,
    emailEnabled: false,
    maintenanceMode: maintenance.enabled,
    prometheusAPIAvailable: false,
    frontendApiOrigins: [...(frontend.frontendApiOrigins ?? frontendOrigins(process.env))],
    // What Unleash's admin UI shows only where it is said to be there.
    flags: { EEA: true, regexConstraintOperator: true },
    resourceLimits: resourceLimits(),
  };
});
