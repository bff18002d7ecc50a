/** A request that any operation of the contract takes for good in form, whether or not it names what exists. */
export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Undefined where it takes no body. */
  readonly body?: object;
  /** Whether any valid token will do. */
  readonly isOpen?: true;
  /** Where what it is about does not exist, since the path names something unknown. */
  readonly isOfUnknown?: true;
}

const project = '/api/admin/projects/default';
const unknown = 'contract-unknown';
const strategy = { name: 'default' };
const samlSettings = { entityId: 'entity', signOnUrl: 'https://idp.example.com', certificate: 'MII' };
const file = { project: 'default', environment: 'development', data: { features: [{ name: unknown }] } };

/** Every operation that asks for a token. */
export const operations: readonly Operation[] = [
  {
    operationId: 'bulkToggleFeaturesEnvironmentOff',
    method: 'POST',
    path: `${project}/bulk_features/environments/${unknown}/off`,
    body: { features: [] },
    isOfUnknown: true,
  },
  {
    operationId: 'addEnvironmentToProject',
    method: 'POST',
    path: `${project}/environments`,
    body: { environment: unknown },
    isOfUnknown: true,
  },
  { operationId: 'updateFeature', method: 'PUT', path: `${project}/features/${unknown}`, body: {}, isOfUnknown: true },
  { operationId: 'validateProject', method: 'POST', path: '/api/admin/projects/validate', body: { id: unknown } },
  {
    operationId: 'addFeatureStrategy',
    method: 'POST',
    path: `${project}/features/${unknown}/environments/development/strategies`,
    body: strategy,
    isOfUnknown: true,
  },
  {
    operationId: 'addDefaultStrategyToProjectEnvironment',
    method: 'POST',
    path: `${project}/environments/${unknown}/default-strategy`,
    body: strategy,
    isOfUnknown: true,
  },
  { operationId: 'setSamlSettings', method: 'POST', path: '/api/admin/auth/saml/settings', body: samlSettings },
  { operationId: 'getSamlSettings', method: 'GET', path: '/api/admin/auth/saml/settings' },
  { operationId: 'getEventsForToggle', method: 'GET', path: `/api/admin/events/${unknown}`, isOpen: true },
  {
    operationId: 'getEnvironmentFeatureVariants',
    method: 'GET',
    path: `${project}/features/${unknown}/environments/development/variants`,
    isOpen: true,
    isOfUnknown: true,
  },
  {
    operationId: 'importToggles',
    method: 'POST',
    path: '/api/admin/features-batch/import',
    body: { ...file, environment: unknown, data: { ...file.data, featureStrategies: [], tagTypes: [] } },
    isOfUnknown: true,
  },
  {
    operationId: 'getArchivedFeaturesByProjectId',
    method: 'GET',
    path: `/api/admin/archive/features/${unknown}`,
    isOpen: true,
    isOfUnknown: true,
  },
  { operationId: 'getAllEnvironments', method: 'GET', path: '/api/admin/environments', isOpen: true },
  { operationId: 'getBaseUsersAndGroups', method: 'GET', path: '/api/admin/user-admin/access', isOpen: true },
  { operationId: 'deleteAddon', method: 'DELETE', path: '/api/admin/addons/999999999', isOfUnknown: true },
  {
    operationId: 'addTag',
    method: 'POST',
    path: `/api/admin/features/${unknown}/tags`,
    body: { value: 'contract' },
    isOfUnknown: true,
  },
];
