import type { FeatureOptions, World } from '../harness/world.ts';

const constraint = {
  contextName: 'userId',
  operator: 'IN',
  caseInsensitive: false,
  inverted: true,
  values: ['u-1'],
  value: 'u-1',
};
const variant = {
  name: 'blue',
  weight: 1000,
  weightType: 'variable',
  stickiness: 'default',
  payload: { type: 'string', value: '#00f' },
};

/** A strategy with every property, as several operations take it. */
export async function wholeStrategy(
  world: World,
  { segments }: { segments?: readonly number[] } = {},
): Promise<object> {
  return {
    name: 'flexibleRollout',
    title: 'Half of all',
    disabled: false,
    sortOrder: 3,
    constraints: [constraint],
    variants: [variant],
    parameters: { rollout: '50', stickiness: 'default', groupId: 'group' },
    segments: segments ?? [(await world.shared('segment', () => world.segment())).id],
  };
}

const requiredOfStrategy = [
  'name',
  'constraints.0.contextName',
  'constraints.0.operator',
  'variants.0.name',
  'variants.0.weight',
  'variants.0.weightType',
  'variants.0.stickiness',
  'variants.0.payload.type',
  'variants.0.payload.value',
];

/** Returns the rules of the contract for the places of a strategy, at a place of a body. */
export function strategyPlaces(place?: string) {
  const at = (path: string) => (place === undefined ? path : `${place}.${path}`);
  return { required: requiredOfStrategy.map(at), nullable: ['title', 'disabled'].map(at) };
}

/** The variants of a feature in an environment, with every property. */
export const variantsBody = [{ ...variant, overrides: [{ contextName: 'userId', values: ['u-1'] }] }];

/** The places that the contract requires in them. */
export const variantPlaces = [
  '0.name',
  '0.weight',
  '0.payload.type',
  '0.payload.value',
  '0.overrides.0.contextName',
  '0.overrides.0.values',
];

/** SAML settings with every property. */
export function saml(entityId: string): object {
  return {
    enabled: true,
    entityId,
    signOnUrl: 'https://idp.example.com/on',
    certificate: 'MII…',
    signOutUrl: 'https://idp.example.com/off',
    spCertificate: 'MII…',
    autoCreate: true,
    emailDomains: 'example.com',
    defaultRootRole: 'Viewer',
    defaultRootRoleId: 3,
    enableGroupSyncing: true,
    groupJsonPath: 'groups',
  };
}

const flag = { description: 'The new checkout', type: 'release', stale: false, impressionData: true, archived: false };

/** A file to import with every property: a feature that is on, and another one that it depends on. */
export async function file(world: World): Promise<object> {
  const { projectId: project, environment } = world.home;
  const legalValues = [{ value: 'CH', description: 'Switzerland' }];
  // They are there already, since a Member may not add them.
  const [field, tagType] = [await world.contextField({ legalValues }), await world.tagType()];
  const [child, parent, segment] = [world.name('feature'), world.name('feature'), await world.segment()];
  return {
    project,
    environment,
    data: {
      features: [
        { name: child, ...flag },
        { name: parent, ...flag },
      ],
      featureStrategies: [{ ...(await wholeStrategy(world, { segments: [segment.id] })), featureName: child }],
      featureEnvironments: [
        {
          name: environment,
          featureName: child,
          enabled: true,
          variants: [
            {
              name: 'blue',
              weight: 1000,
              weightType: 'variable',
              stickiness: 'default',
              payload: { type: 'json', value: '{}' },
              overrides: [{ contextName: 'userId', values: ['u-1'] }],
            },
          ],
        },
        // The variants on which the other one depends.
        { name: environment, featureName: parent, enabled: true, variants: [variant] },
      ],
      contextFields: [
        { name: field, description: 'Where the customer is', stickiness: false, sortOrder: 5, legalValues, project },
      ],
      featureTags: [{ featureName: child, tagType, tagValue: 'shop', type: tagType, value: 'shop' }],
      segments: [segment],
      tagTypes: [{ name: tagType, description: 'Who looks after it', icon: 'T', color: '#FF8800' }],
      dependencies: [{ feature: child, dependencies: [{ feature: parent, enabled: true, variants: ['blue'] }] }],
      links: [{ feature: child, links: [{ url: 'https://example.com/7', title: 'Seven' }] }],
    },
  };
}

const places = strategyPlaces('data.featureStrategies.0');

/** Rules of the contract for the places of a file. */
export const filePlaces = {
  bodyBytesMax: 524_288,
  required: [
    'project',
    'environment',
    'data',
    'data.features',
    'data.features.0.name',
    'data.featureStrategies',
    ...places.required,
    'data.featureEnvironments.0.name',
    'data.featureEnvironments.0.enabled',
    'data.featureEnvironments.0.variants.0.name',
    'data.featureEnvironments.0.variants.0.weight',
    'data.featureEnvironments.0.variants.0.payload.type',
    'data.featureEnvironments.0.variants.0.payload.value',
    'data.featureEnvironments.0.variants.0.overrides.0.contextName',
    'data.featureEnvironments.0.variants.0.overrides.0.values',
    'data.contextFields.0.name',
    'data.contextFields.0.legalValues.0.value',
    // Not tagValue, which may go by its older name "value".
    'data.featureTags.0.featureName',
    'data.segments.0.id',
    'data.segments.0.name',
    'data.tagTypes',
    'data.tagTypes.0.name',
    'data.dependencies.0.feature',
    'data.dependencies.0.dependencies',
    'data.dependencies.0.dependencies.0.feature',
    'data.links.0.feature',
    'data.links.0.links',
    'data.links.0.links.0.url',
  ],
  // An import needs it; its validation says so.
  needed: ['data.featureStrategies.0.featureName'],
  nullable: [
    ...places.nullable,
    'data.features.0.description',
    'data.contextFields.0.description',
    'data.contextFields.0.project',
    'data.tagTypes.0.description',
    'data.tagTypes.0.icon',
    'data.tagTypes.0.color',
    'data.links.0.links.0.title',
  ],
};

/** Returns the body that an SDK registers with when it starts. */
export function registration(world: World): object {
  return {
    appName: world.name('app'),
    instanceId: 'one',
    sdkVersion: 'unleash-node-sdk:6.12.1',
    strategies: ['default', 'flexibleRollout'],
    started: '2026-11-22T09:00:00.000000123Z',
    interval: 15_000,
  };
}

/** Returns an SDK's report on a feature that it has evaluated within this hour. */
export async function usageReport(world: World): Promise<object> {
  const { name } = await world.deliveredFeature();
  const start = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
  return {
    appName: world.name('app'),
    instanceId: 'one',
    sdkVersion: 'unleash-node-sdk:6.12.1',
    bucket: { start, stop: start, toggles: { [name]: { yes: 3, no: 1, variants: { blue: 3 } } } },
    impactMetrics: [
      { name: 'orders', help: 'Orders', type: 'counter', samples: [{ value: 3, labels: { appName: 'shop' } }] },
    ],
  };
}

/** Properties common to the operations that take reports of SDKs. */
export const ofReports = { required: ['appName'], bodyBytesMax: 1_048_576, takesGzip: true } as const;

/** Those of the operations that take metrics. */
export const ofMetrics = {
  ...ofReports,
  required: ['appName', 'bucket.start', 'bucket.stop', 'bucket.toggles'],
  nullable: ['bucket'],
} as const;

/** Settings of OIDC, complete. */
export function oidc(clientId: string) {
  return {
    enabled: true,
    clientId,
    secret: 'a-secret-of-the-client',
    discoverUrl: 'https://idp.example.com',
    autoCreate: true,
    enableSingleSignOut: true,
    defaultRootRole: 'Viewer',
    defaultRootRoleId: 3,
    emailDomains: 'example.com',
    acrValues: 'urn:example:mfa',
    idTokenSigningAlgorithm: 'RS256',
    enableGroupSyncing: false,
    groupJsonPath: 'groups',
    addGroupsScope: false,
    enablePkce: true,
  };
}

/** Returns a request about so many new features of a project, with more in its body. */
export async function ofFeatures(world: World, amount: number, options: FeatureOptions, more: object = {}) {
  const features = await world.featureNames(amount, options);
  return { params: world.home, body: { features, ...more }, size: amount };
}

/** A context of an evaluation with every property. */
export const playgroundContext = {
  appName: 'web',
  userId: '7',
  sessionId: 's',
  remoteAddress: '127.0.0.1',
  environment: 'development',
  currentTime: '2026-01-31T12:00:00Z',
  properties: { plan: 'paid' },
};
