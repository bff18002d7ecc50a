const projectPath = (project: string) => `/api/admin/projects/${encodeURIComponent(project)}`;

/** Paths of the operations on features. */
export const paths = {
  feature: (name: string, project = 'default') => `${projectPath(project)}/features/${encodeURIComponent(name)}`,
  strategies: (name: string, environment = 'development', project = 'default') =>
    `${projectPath(project)}/features/${encodeURIComponent(name)}/environments/${encodeURIComponent(environment)}/strategies`,
  variants: (name: string, environment = 'development', project = 'default') =>
    `${projectPath(project)}/features/${encodeURIComponent(name)}/environments/${encodeURIComponent(environment)}/variants`,
  off: (environment = 'development', project = 'default') =>
    `${projectPath(project)}/bulk_features/environments/${encodeURIComponent(environment)}/off`,
  on: (environment = 'development', project = 'default') =>
    `${projectPath(project)}/bulk_features/environments/${encodeURIComponent(environment)}/on`,
  switch: (name: string, to: 'on' | 'off', environment = 'development', project = 'default') =>
    `${projectPath(project)}/features/${encodeURIComponent(name)}/environments/${encodeURIComponent(environment)}/${to}`,
  tags: (name: string) => `/api/admin/features/${encodeURIComponent(name)}/tags`,
  events: (name: string, query = '') => `/api/admin/events/${encodeURIComponent(name)}${query}`,
  deleted: (name: string) => `/api/admin/archive/${encodeURIComponent(name)}`,
  revived: (name: string) => `/api/admin/archive/revive/${encodeURIComponent(name)}`,
  bulk: (operation: 'archive' | 'archive/validate' | 'delete' | 'revive' | 'stale', project = 'default') =>
    `${projectPath(project)}/${operation}`,
  archive: (project = 'default') => `/api/admin/archive/features/${encodeURIComponent(project)}`,
};
