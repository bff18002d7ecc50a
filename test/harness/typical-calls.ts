import type { SeedData } from '../../lib/seed/seed-data.ts';
import { readSeed } from '../../lib/seed/seed-data.ts';
import type { Answer, GatewayRequest } from './gateway.ts';

/** Whoever can be called: the service of a test, or that of a proof. */
export interface Callable {
  call(method: string, target: string, options?: Pick<GatewayRequest, 'headers' | 'body'>): Promise<Answer>;
}

/** An operation, as a caller would use it. */
export interface TypicalCall {
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  readonly body?: object;
}

/** What the calls need besides what every store holds. */
export const typicalSeed: SeedData = readSeed({
  environments: [{ name: 'staging' }],
  addons: [{ id: 1, provider: 'webhook' }],
});

const strategy = { name: 'flexibleRollout' };
const feature = '/api/admin/projects/default/features/checkout';
const development = `${feature}/environments/development`;
const saml = { entityId: 'e', signOnUrl: 'https://example.com', certificate: 'c' };

/** The body of an import of features that are on, with one strategy each. */
export function importOf(names: readonly string[]): object {
  return {
    project: 'default',
    environment: 'development',
    data: {
      features: names.map((name) => ({ name })),
      featureStrategies: names.map((featureName) => ({ featureName, ...strategy })),
      featureEnvironments: names.map((name) => ({ name, enabled: true })),
      tagTypes: [],
    },
  };
}

/** Each operation once; the order matters, since one leaves what the next one finds. */
export const typicalCalls: readonly TypicalCall[] = [
  {
    operation: 'importToggles',
    method: 'POST',
    target: '/api/admin/features-batch/import',
    body: importOf(['checkout']),
  },
  { operation: 'updateFeature', method: 'PUT', target: feature, body: { description: 'new' } },
  { operation: 'addFeatureStrategy', method: 'POST', target: `${development}/strategies`, body: strategy },
  { operation: 'addTag', method: 'POST', target: '/api/admin/features/checkout/tags', body: { value: 'blue' } },
  { operation: 'getEnvironmentFeatureVariants', method: 'GET', target: `${development}/variants` },
  { operation: 'getEventsForToggle', method: 'GET', target: '/api/admin/events/checkout' },
  {
    operation: 'bulkToggleFeaturesEnvironmentOff',
    method: 'POST',
    target: '/api/admin/projects/default/bulk_features/environments/development/off',
    body: { features: ['checkout'] },
  },
  { operation: 'getArchivedFeaturesByProjectId', method: 'GET', target: '/api/admin/archive/features/default' },
  {
    operation: 'addDefaultStrategyToProjectEnvironment',
    method: 'POST',
    target: '/api/admin/projects/default/environments/development/default-strategy',
    body: strategy,
  },
  {
    operation: 'addEnvironmentToProject',
    method: 'POST',
    target: '/api/admin/projects/default/environments',
    body: { environment: 'staging' },
  },
  { operation: 'validateProject', method: 'POST', target: '/api/admin/projects/validate', body: { id: 'other' } },
  { operation: 'getAllEnvironments', method: 'GET', target: '/api/admin/environments' },
  { operation: 'getBaseUsersAndGroups', method: 'GET', target: '/api/admin/user-admin/access' },
  { operation: 'setSamlSettings', method: 'POST', target: '/api/admin/auth/saml/settings', body: saml },
  { operation: 'getSamlSettings', method: 'GET', target: '/api/admin/auth/saml/settings' },
  { operation: 'deleteAddon', method: 'DELETE', target: '/api/admin/addons/1' },
];

/** Makes a call that must succeed. */
export async function make(
  service: Callable,
  { method, target, body }: Omit<TypicalCall, 'operation'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { status, text } = await service.call(method, target, { headers, ...(body && { body }) });
  if (status >= 300) throw new Error(`${method} ${target} was answered ${status}: ${text}`);
}
