import { post, type TimedCall } from './call.ts';
import { benchEnvironment, benchPaths, project } from './paths.ts';

/** Feature of an import file. */
export interface BenchedFeature {
  readonly name: string;
  /** State of the feature; the file does not mention it if this is left out. */
  readonly enabled?: boolean;
  readonly archived?: boolean;
  readonly strategies?: readonly object[];
  readonly variants?: readonly object[];
  readonly tags?: readonly string[];
}

export const rolloutStrategy = (rollout: number, title = '') => ({
  name: 'flexibleRollout',
  title,
  parameters: { rollout: String(rollout), stickiness: 'default', groupId: 'bench' },
  constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
});

export const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };

/** Returns the call that imports features into the environment of a project. */
export function importCall(features: readonly BenchedFeature[], into = project): TimedCall {
  return post(benchPaths.import, {
    project: into,
    environment: benchEnvironment,
    data: {
      features: features.map(({ name, archived }) => ({
        name,
        type: 'release',
        description: 'Imported',
        ...(archived && { archived }),
      })),
      featureStrategies: features.flatMap(({ name, strategies = [] }) =>
        strategies.map((each) => ({ ...each, featureName: name })),
      ),
      featureEnvironments: features.flatMap(({ name, enabled, variants = [] }) =>
        enabled === undefined ? [] : [{ name, featureName: name, environment: benchEnvironment, enabled, variants }],
      ),
      featureTags: features.flatMap(({ name, tags = [] }) =>
        tags.map((tagValue) => ({ featureName: name, tagType: 'simple', tagValue })),
      ),
      tagTypes: [],
    },
  });
}

/** Returns one call if the server takes it, or else one for as many features each as its limit allows. */
export function importCalls(features: readonly BenchedFeature[], bytesMax: number, into = project): TimedCall[] {
  const whole = importCall(features, into);
  if (Buffer.byteLength(whole.body ?? '') <= bytesMax) return [whole];
  const middle = Math.ceil(features.length / 2);
  return [features.slice(0, middle), features.slice(middle)].flatMap((half) => importCalls(half, bytesMax, into));
}

/** Returns the call that changes all of the SAML settings. */
export function samlCall(entityId: string): TimedCall {
  const signOnUrl = 'https://sso.example.com/sign-on';
  return post(benchPaths.samlSettings, { enabled: true, entityId, signOnUrl, certificate: 'bench', autoCreate: false });
}
