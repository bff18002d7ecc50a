import type { GatewayRequest } from '../../harness/gateway.ts';

/** The requests that scenarios are made of: in the project `shop` of test/fixtures/seed.json, mostly in `development`. */

const shop = '/api/admin/projects/shop';

/** What makes a request carry an idempotency key, or none. */
export const keyHeaders = (isKeyed: boolean): Record<string, string> => (isKeyed ? { 'idempotency-key': 'crash' } : {});

export const paths = {
  feature: (name: string) => `${shop}/features/${name}`,
  strategies: (name: string, environment: string) => `${shop}/features/${name}/environments/${environment}/strategies`,
  tags: (name: string) => `/api/admin/features/${name}/tags`,
  off: `${shop}/bulk_features/environments/development/off`,
  defaultStrategy: (environment: string) => `${shop}/environments/${environment}/default-strategy`,
  saml: '/api/admin/auth/saml/settings',
};

export const strategy = {
  name: 'flexibleRollout',
  parameters: { rollout: '50' },
  constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
  segments: [7],
};

export const samlSettings = (entityId: string) => ({
  entityId,
  signOnUrl: 'https://idp.example.com/on',
  certificate: 'MII',
});

export const addEnvironment = (more: object): GatewayRequest => ({
  method: 'POST',
  target: `${shop}/environments`,
  body: { environment: 'default', ...more },
});

/** What a file says. */
interface FileData {
  readonly features: readonly object[];
  readonly featureStrategies: readonly object[];
  readonly featureEnvironments: readonly object[];
  readonly featureTags: readonly object[];
  readonly tagTypes: readonly object[];
  readonly dependencies: readonly object[];
}

/** A feature that is on, with variants and tags of a type that the file brings along, and with parents. */
export function feature(
  name: string,
  tags: readonly string[] = [],
  parents: readonly string[] = [],
  strategyName = 'flexibleRollout',
  fields: object = {},
): FileData {
  const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  return {
    features: [{ name, ...fields }],
    featureStrategies: [{ name: strategyName, featureName: name }],
    featureEnvironments: [{ name: 'development', featureName: name, enabled: true, variants }],
    featureTags: tags.map((tagValue) => ({ featureName: name, tagType: 'origin', tagValue })),
    tagTypes: [{ name: 'origin', description: 'Where it comes from' }],
    dependencies: parents.map((parent) => ({ feature: name, dependencies: [{ feature: parent }] })),
  };
}

export const names = (count: number) => Array.from({ length: count }, (_, index) => `feature-${index + 1}`);

/** Features that are on. Every tenth has a tag and a parent, which must be there before it. */
export function manyFeatures(count: number): FileData {
  const all = names(count).map((name, index): FileData => {
    if (index % 10 === 9) return feature(name, [`tag-${index}`], [`feature-${index}`]);
    return { ...feature(name), featureEnvironments: [{ name: 'development', featureName: name, enabled: true }] };
  });
  return together(all);
}

/** A request to import all of these. */
export function importFile(...parts: readonly FileData[]): GatewayRequest {
  return {
    method: 'POST',
    target: '/api/admin/features-batch/import',
    body: { project: 'shop', environment: 'development', data: together(parts) },
  };
}

function together(parts: readonly FileData[]): FileData {
  return {
    features: parts.flatMap(({ features }) => features),
    featureStrategies: parts.flatMap(({ featureStrategies }) => featureStrategies),
    featureEnvironments: parts.flatMap(({ featureEnvironments }) => featureEnvironments),
    featureTags: parts.flatMap(({ featureTags }) => featureTags),
    tagTypes: [{ name: 'origin', description: 'Where it comes from' }],
    dependencies: parts.flatMap(({ dependencies }) => dependencies),
  };
}
