import type {
  Application,
  ApplicationOverview,
  ProjectApplication,
} from '../../usage/applications/application-schema.ts';
import { change, read } from '../data/declare-call.ts';

interface ApplicationInstance {
  readonly instanceId: string;
  readonly clientIp: string;
  readonly sdkVersion?: string;
  readonly lastSeen: string;
}

const applications = '/api/admin/metrics/applications';
const application = `${applications}/{appName}` as const;
export const getApplications = read<{ readonly total: number; readonly applications: readonly Application[] }>()(
  'getApplications',
  applications,
);
export const getApplicationOverview = read<ApplicationOverview>()('getApplicationOverview', `${application}/overview`);
export const getApplicationEnvironmentInstances = read<{ readonly instances: readonly ApplicationInstance[] }>()(
  'getApplicationEnvironmentInstances',
  '/api/admin/metrics/instances/{appName}/environment/{environment}',
);
export const deleteApplication = change()('deleteApplication', 'DELETE', application);
export const getProjectApplications = read<{ readonly applications: readonly ProjectApplication[] }>()(
  'getProjectApplications',
  '/api/admin/projects/{projectId}/applications',
);
