const admin = '/api/admin';

/** The project and the environment that all of the work is done in, unless it needs others. */
export const project = 'default';
export const benchEnvironment = 'development';

const inProject = `${admin}/projects/${project}`;

export const benchPaths = {
  access: `${admin}/user-admin/access`,
  addon: (id: number) => `${admin}/addons/${id}`,
  addons: `${admin}/addons`,
  advancedPlayground: `${admin}/playground/advanced`,
  apiTokens: `${admin}/api-tokens`,
  archiveFeatures: `${inProject}/archive`,
  clientFeatures: '/api/client/features',
  clientMetrics: '/api/client/metrics',
  clientRegister: '/api/client/register',
  defaultStrategy: `${inProject}/environments/${benchEnvironment}/default-strategy`,
  environments: `${admin}/environments`,
  features: `${inProject}/features`,
  frontend: '/api/frontend',
  ofrep: '/ofrep/v1/evaluate/flags',
  playground: `${admin}/playground`,
  project: (id: string) => `${admin}/projects/${id}`,
  projectEnvironments: (id: string) => `${admin}/projects/${id}/environments`,
  search: `${admin}/search/features?project=IS:${project}&limit=50&offset=0`,
  samlSettings: `${admin}/auth/saml/settings`,
  strategy: (feature: string, id: string) =>
    `${inProject}/features/${feature}/environments/${benchEnvironment}/strategies/${id}`,
  users: `${admin}/user-admin`,
  validateProject: `${admin}/projects/validate`,
};
