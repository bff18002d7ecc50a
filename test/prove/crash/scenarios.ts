import type { GatewayRequest } from '../../harness/gateway.ts';
import { addEnvironment, feature, importFile, manyFeatures, names, paths, samlSettings, strategy } from './requests.ts';

/** A request that changes something, and the state that it finds. */
export interface Scenario {
  readonly title: string;
  readonly request: GatewayRequest;
  /** What was asked for before it. */
  readonly given?: readonly GatewayRequest[];
  /** It takes several transactions, so that some features may be there without the others. */
  readonly inParts?: boolean;
  /** Sent again after it was carried out, it changes something again; a key of its own prevents that. */
  readonly repeats?: boolean;
}

const put = (name: string, body: object): GatewayRequest => ({ method: 'PUT', target: paths.feature(name), body });
const post = (target: string, body: object): GatewayRequest => ({ method: 'POST', target, body });

const given = [importFile(feature('checkout'))];
const archived = [...given, put('checkout', { archived: true })];

/** The scenarios of each mutation, by its name in the registry. */
export const scenarios: Readonly<Record<string, readonly Scenario[]>> = {
  updateFeature: [
    { title: 'fields', given, request: put('checkout', { description: 'Rewritten', stale: true }) },
    { title: 'archive', given, request: put('checkout', { archived: true, type: 'experiment' }) },
    { title: 'revive', given: archived, request: put('checkout', { archived: false }) },
  ],
  addFeatureStrategy: [
    {
      title: 'beside another',
      given,
      request: post(paths.strategies('checkout', 'development'), strategy),
      repeats: true,
    },
    {
      title: 'first of an environment',
      given,
      request: post(paths.strategies('checkout', 'production'), strategy),
      repeats: true,
    },
  ],
  addTag: [
    {
      title: 'known',
      given: [...given, importFile(feature('basket', ['new']))],
      request: post(paths.tags('checkout'), { type: 'origin', value: 'new' }),
    },
    { title: 'new', given, request: post(paths.tags('checkout'), { type: 'team', value: 'new' }) },
  ],
  bulkToggleFeaturesEnvironmentOff: [
    { title: '1 feature', given, request: post(paths.off, { features: ['checkout'] }) },
    {
      title: '100 features',
      given: [importFile(manyFeatures(100))],
      request: post(paths.off, { features: names(100) }),
      inParts: true,
    },
  ],
  importToggles: [
    { title: 'new', request: importFile(feature('checkout', ['first']), feature('basket', ['second'], ['checkout'])) },
    {
      title: 'overwrite',
      given: [importFile(feature('checkout', ['old'], [], 'default'), feature('basket'))],
      request: importFile(feature('checkout', ['new'], ['basket'], 'flexibleRollout', { stale: true, archived: true })),
    },
    {
      title: 'several transactions',
      given: [importFile(feature('feature-3', ['old'], [], 'default'))],
      request: importFile(manyFeatures(70)),
      inParts: true,
    },
  ],
  addDefaultStrategyToProjectEnvironment: [
    { title: 'one', request: post(paths.defaultStrategy('staging'), strategy) },
    {
      title: '*',
      given: [post(paths.defaultStrategy('staging'), { name: 'default' })],
      request: post(paths.defaultStrategy('*'), strategy),
    },
  ],
  addEnvironmentToProject: [
    { title: 'plain', given, request: addEnvironment({}) },
    { title: 'with default strategy', given, request: addEnvironment({ defaultStrategy: strategy }) },
  ],
  setSamlSettings: [
    { title: 'create', request: post(paths.saml, samlSettings('one')) },
    {
      title: 'update',
      given: [post(paths.saml, samlSettings('one'))],
      request: post(paths.saml, samlSettings('another')),
    },
  ],
  deleteAddon: [{ title: 'addon', request: { method: 'DELETE', target: '/api/admin/addons/1' } }],
};
