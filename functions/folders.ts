/**
 * The deployment of the endpoints of a folder:
 * - `apart`: each endpoint is a function with only the rights that it needs, and a route.
 * - `together`: all endpoints are one function, with as few routes as possible, since an API may have only 300.
 * - `address`: like `together`, but the function can have a URL of its own. This is for SDKs, which are configured with one address
 *   and call every few seconds: a gateway would cost five times as much as the function.
 */
export type Deployment = 'apart' | 'together' | 'address';

/** The folders that are not deployed `together`. */
const folders: Readonly<Record<string, Deployment>> = {
  access: 'apart',
  addons: 'apart',
  archive: 'apart',
  // These endpoints are public, so each needs a rate limit, and therefore a route. The code that reads SAML is large.
  auth: 'apart',
  client: 'address',
  environments: 'apart',
  events: 'apart',
  features: 'apart',
  frontend: 'address',
  imports: 'apart',
  projects: 'apart',
  // Health checks should not wait until the code of the API reference is loaded.
  service: 'apart',
  tags: 'apart',
};

/** Returns the deployment of a folder. */
export function deploymentOf(folder: string): Deployment {
  return folders[folder] ?? 'together';
}

/**
 * Endpoints that are deployed with another folder than their own, where release 0.2 had their paths. A route cannot move to another
 * nested stack: CloudFormation creates the new one before it deletes the old one, and the API refuses two routes with one path.
 */
const deployedWith: Readonly<Record<string, string>> = {
  getBanners: 'absent',
  getChangeRequestsForProject: 'absent',
  getFeatureImpactMetrics: 'absent',
  getImpactMetricsMetadata: 'absent',
  getInsights: 'absent',
  getReleasePlanTemplates: 'absent',
  getScimSettings: 'absent',
  getUserAccessRequests: 'absent',
  searchChangeRequests: 'absent',
};

/** Returns the folder with which an endpoint is deployed. */
export function folderOfDeployment(operationId: string, folder: string): string {
  return deployedWith[operationId] ?? folder;
}

/**
 * The folders that have a function of their own even with few functions: sign-in, health and reference, the SDKs, and the server for
 * agents, which contains operations of both other functions.
 */
const foldersWithOwnFunction: readonly string[] = ['auth', 'client', 'frontend', 'mcp', 'service'];

/** The folders of flags and the things that they consist of. */
const flagFolders: readonly string[] = [
  ...[
    'archive',
    'constraints',
    'context',
    'dependencies',
    'feature-types',
    'features',
    'imports',
    'playground',
    'projects',
  ],
  ...['search', 'segments', 'strategies', 'tags'],
];

/**
 * Returns the function of a folder in a deployment with few functions. A page of an admin UI then needs only two of them to be warm.
 * A single function for everything would take half as long again to start.
 */
export function fewFunctionOf(folder: string): string {
  if (foldersWithOwnFunction.includes(folder)) return folder;
  return flagFolders.includes(folder) ? 'flags' : 'administration';
}
