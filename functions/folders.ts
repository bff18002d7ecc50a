/**
 * The form in which the endpoints of a folder are deployed:
 * - `apart`: each is a function of its own, with the rights that it needs alone, and a route of its own.
 * - `together`: all are one function, and have as few routes as lead to it; an API has 300 of them.
 * - `address`: as `together`, and the function can have a URL of its own. That is for SDKs, which know one address, and of which
 *   each instance calls every few seconds: a gateway would cost five times as much as the function.
 */
export type Deployment = 'apart' | 'together' | 'address';

/** Those folders that are not deployed `together`. */
const folders: Readonly<Record<string, Deployment>> = {
  access: 'apart',
  addons: 'apart',
  archive: 'apart',
  // The address of each is public, so that each has a limit, which takes a route; and what reads SAML is large.
  auth: 'apart',
  client: 'address',
  environments: 'apart',
  events: 'apart',
  features: 'apart',
  frontend: 'address',
  imports: 'apart',
  projects: 'apart',
  // The health of the service does not wait for the code of its documentation.
  service: 'apart',
  tags: 'apart',
};

/** The form in which the endpoints of a folder are deployed. */
export function deploymentOf(folder: string): Deployment {
  return folders[folder] ?? 'together';
}

/**
 * Endpoints that are deployed with another folder than their own. Release 0.2 had their paths there, and a route cannot move to
 * another nested stack: CloudFormation creates the new one before it deletes the old one, and the API refuses two of a path.
 */
const deployedWith: Readonly<Record<string, string>> = {
  getBanners: 'absent',
  getChangeRequestsForProject: 'absent',
  getUserAccessRequests: 'absent',
  searchChangeRequests: 'absent',
};

/** The folder with which an endpoint is deployed. */
export function folderOfDeployment(operationId: string, folder: string): string {
  return deployedWith[operationId] ?? folder;
}

/** Folders that keep a function of their own where functions are few: what signs people in, the service and the SDKs. */
const alone: readonly string[] = ['auth', 'client', 'frontend', 'service'];

/** The folders of what flags are made of. */
const ofFlags: readonly string[] = [
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
 * The function that a folder is a part of where functions are few, so that hardly any of them starts cold for a page of an
 * admin UI. All in one would start half as slowly again.
 */
export function fewFunctionOf(folder: string): string {
  if (alone.includes(folder)) return folder;
  return ofFlags.includes(folder) ? 'flags' : 'administration';
}
