const admin = '/api/admin';

/** The project and the environment that all of the work is done in, unless it needs others. */
export const project = 'default';
export const benchEnvironment = 'development';

const inProject = `${admin}/projects/${project}`;

export const benchPaths = {
  access: `${admin}/user-admin/access`,
  addon: (id: number) => `${admin}/addons/${id}`,
  addons: `${admin}/addons`,
  apiTokens: `${admin}/api-tokens`,
  archive: (id: string) => `${admin}/archive/features/${id}`,
  archiveFeatures: `${inProject}/archive`,
  bulk: (state: 'on' | 'off') => `${inProject}/bulk_features/environments/${benchEnvironment}/${state}`,
  clientFeatures: '/api/client/features',
  clientMetrics: '/api/client/metrics',
  clientRegister: '/api/client/register',
  defaultStrategy: `${inProject}/environments/${benchEnvironment}/default-strategy`,
  environments: `${admin}/environments`,
  events: (feature: string) => `${admin}/events/${feature}`,
  feature: (feature: string) => `${inProject}/features/${feature}`,
  features: `${inProject}/features`,
  frontend: '/api/frontend',
  import: `${admin}/features-batch/import`,
  project: (id: string) => `${admin}/projects/${id}`,
  projectEnvironments: (id: string) => `${admin}/projects/${id}/environments`,
  search: `${admin}/search/features?project=IS:${project}&limit=50&offset=0`,
  samlSettings: `${admin}/auth/saml/settings`,
  strategies: (feature: string) => `${inProject}/features/${feature}/environments/${benchEnvironment}/strategies`,
  strategy: (feature: string, id: string) =>
    `${inProject}/features/${feature}/environments/${benchEnvironment}/strategies/${id}`,
  switch: (feature: string, state: 'on' | 'off') =>
    `${inProject}/features/${feature}/environments/${benchEnvironment}/${state}`,
  tags: (feature: string) => `${admin}/features/${feature}/tags`,
  users: `${admin}/user-admin`,
  validateProject: `${admin}/projects/validate`,
  variants: (feature: string) => `${inProject}/features/${feature}/environments/${benchEnvironment}/variants`,
};
