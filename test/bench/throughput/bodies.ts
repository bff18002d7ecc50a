import { post, type TimedCall } from '../../harness/http-call.ts';
import { type FiledFeature, importOf, importPath } from '../../harness/import-file.ts';
import { benchEnvironment, benchPaths, project } from './paths.ts';

export const rolloutStrategy = (rollout: number, title = '') => ({
  name: 'flexibleRollout',
  title,
  parameters: { rollout: String(rollout), stickiness: 'default', groupId: 'bench' },
  constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
});

export const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };

/** Returns the call that imports features into the environment of a project. */
export function importCall(features: readonly FiledFeature[], into = project): TimedCall {
  return post(importPath, importOf(features, { project: into, environment: benchEnvironment }));
}

/** Returns one call if the server takes it, or else one for as many features each as its limit allows. */
export function importCalls(features: readonly FiledFeature[], bytesMax: number, into = project): TimedCall[] {
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
