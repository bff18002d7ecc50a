import type { Step } from './step.ts';
import { surroundings } from './surroundings.ts';

const project = '/api/admin/projects/default';
const flag = `${project}/features/{flag}`;
const development = `${flag}/environments/development`;

const gradual = {
  name: 'flexibleRollout',
  title: 'a tenth',
  parameters: { rollout: '10', stickiness: 'default', groupId: '{flag}' },
  constraints: [
    { contextName: 'country', operator: 'IN', values: ['NZ', 'CH'], inverted: false, caseInsensitive: false },
  ],
};

const token = { environment: 'development', projects: ['default'] };

const bucket = { start: '2026-11-21T10:00:00.123456789Z', stop: '2026-11-21T10:01:00Z' };

/** What a server knows before anybody has done anything. */
const builtIn: readonly Step[] = [
  { title: 'health', send: 'GET /health' },
  { title: 'projects', send: 'GET /api/admin/projects' },
  { title: 'feature types', send: 'GET /api/admin/feature-types' },
  { title: 'strategy types', send: 'GET /api/admin/strategies' },
  { title: 'a strategy type', send: 'GET /api/admin/strategies/flexibleRollout' },
  { title: 'an unknown strategy type', send: 'GET /api/admin/strategies/nothing' },
  { title: 'context fields', send: 'GET /api/admin/context' },
  { title: 'a context field', send: 'GET /api/admin/context/userId' },
  { title: 'tag types', send: 'GET /api/admin/tag-types' },
  { title: 'environments', send: 'GET /api/admin/environments' },
  { title: 'an environment', send: 'GET /api/admin/environments/development' },
  { title: 'environments of a project', send: 'GET /api/admin/environments/project/default' },
  { title: 'no token', send: 'GET /api/admin/projects', as: 'nobody' },
];

/** A flag is made and set up. */
const making: readonly Step[] = [
  { title: 'a name is free', send: 'POST /api/admin/features/validate', body: { name: '{flag}' } },
  { title: 'a name that cannot be', send: 'POST /api/admin/features/validate', body: { name: 'a b' } },
  {
    title: 'create a flag',
    send: `POST ${project}/features`,
    body: { name: '{flag}', type: 'release', description: 'The checkout', impressionData: true },
  },
  { title: 'create it again', send: `POST ${project}/features`, body: { name: '{flag}', type: 'release' } },
  { title: 'create one without a name', send: `POST ${project}/features`, body: { type: 'release' } },
  { title: 'create one in no project', send: 'POST /api/admin/projects/nowhere/features', body: { name: '{flag}-x' } },
  { title: 'create a parent', send: `POST ${project}/features`, body: { name: '{parent}', type: 'release' } },
  { title: 'read the flag', send: `GET ${flag}` },
  { title: 'read it with variants', send: `GET ${flag}?variantEnvironments=true` },
  { title: 'read an unknown flag', send: `GET ${project}/features/{flag}-unknown` },
  { title: 'add a strategy', send: `POST ${development}/strategies`, body: gradual, keep: { strategy: 'id' } },
  {
    title: 'add a second one',
    send: `POST ${development}/strategies`,
    body: { name: 'default' },
    keep: { second: 'id' },
  },
  { title: 'list the strategies', send: `GET ${development}/strategies` },
  { title: 'read a strategy', send: `GET ${development}/strategies/{strategy}` },
  {
    title: 'update a strategy',
    send: `PUT ${development}/strategies/{strategy}`,
    body: { ...gradual, parameters: { ...gradual.parameters, rollout: '50' } },
  },
  {
    title: 'patch a strategy',
    send: `PATCH ${development}/strategies/{strategy}`,
    body: [{ op: 'replace', path: '/parameters/rollout', value: '60' }],
  },
  {
    title: 'reorder the strategies',
    send: `POST ${development}/strategies/set-sort-order`,
    body: [
      { id: '{second}', sortOrder: 0 },
      { id: '{strategy}', sortOrder: 1 },
    ],
  },
  { title: 'strategies in their new order', send: `GET ${development}/strategies` },
  { title: 'delete the second strategy', send: `DELETE ${development}/strategies/{second}` },
  { title: 'switch it on', send: `POST ${development}/on` },
  { title: 'switch it on where nothing is set up', send: `POST ${flag}/environments/production/on` },
  { title: 'switch it on in no environment', send: `POST ${flag}/environments/nowhere/on` },
  { title: 'switch it off again', send: `POST ${flag}/environments/production/off` },
  { title: 'read it as it is set up', send: `GET ${flag}` },
  { title: 'patch it', send: `PATCH ${flag}`, body: [{ op: 'replace', path: '/description', value: 'Another text' }] },
  { title: 'what it is in an environment', send: `GET ${development}` },
  { title: 'what it is in no environment', send: `GET ${flag}/environments/nowhere` },
  {
    title: 'create a flag for variants',
    send: `POST ${project}/features`,
    body: { name: '{variants}', type: 'release' },
  },
  {
    title: 'give it variants in an environment',
    send: `PUT ${project}/features/{variants}/environments/development/variants`,
    body: [
      { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' },
      { name: 'green', weight: 500, weightType: 'variable', stickiness: 'default' },
    ],
  },
  { title: 'variants of an environment', send: `GET ${project}/features/{variants}/environments/development/variants` },
  { title: 'archive the flag with variants', send: `DELETE ${project}/features/{variants}` },
  { title: 'delete the flag with variants', send: 'DELETE /api/admin/archive/{variants}' },
  { title: 'make it depend on another', send: `POST ${flag}/dependencies`, body: { feature: '{parent}' } },
  { title: 'who may be a parent', send: `GET ${flag}/parents`, own: [''] },
  { title: 'whether there are dependencies', send: `GET ${project}/dependencies` },
  { title: 'tag it', send: 'POST /api/admin/features/{flag}/tags', body: { type: 'simple', value: '{tag}' } },
  { title: 'its tags', send: 'GET /api/admin/features/{flag}/tags' },
  {
    title: 'change its tags',
    send: 'PUT /api/admin/features/{flag}/tags',
    body: { addedTags: [{ type: 'simple', value: '{tag}-2' }], removedTags: [{ type: 'simple', value: '{tag}' }] },
  },
  { title: 'remove a tag', send: 'DELETE /api/admin/features/{flag}/tags/simple/{tag}-2' },
  {
    title: 'create a segment',
    send: 'POST /api/admin/segments',
    body: { name: '{segment}', constraints: [{ contextName: 'appName', operator: 'IN', values: ['web'] }] },
    keep: { segmentId: 'id' },
  },
  { title: 'segments', send: 'GET /api/admin/segments', own: ['segments'] },
  { title: 'a segment', send: 'GET /api/admin/segments/{segmentId}' },
  { title: 'an unknown segment', send: 'GET /api/admin/segments/1000000' },
  {
    title: 'use the segment',
    send: 'POST /api/admin/segments/strategies',
    body: { projectId: 'default', environmentId: 'development', strategyId: '{strategy}', segmentIds: '{segmentIds}' },
  },
  { title: 'segments of a strategy', send: 'GET /api/admin/segments/strategies/{strategy}' },
  { title: 'segments of an unknown strategy', send: 'GET /api/admin/segments/strategies/unknown' },
  { title: 'strategies that use the segment', send: 'GET /api/admin/segments/{segmentId}/strategies' },
  { title: 'segments and how they are used', send: 'GET /api/admin/segments', own: ['segments'] },
  { title: 'delete the segment in use', send: 'DELETE /api/admin/segments/{segmentId}' },
  {
    title: 'a segment name in use',
    send: 'POST /api/admin/segments/validate',
    body: { name: '{segment}' },
  },
  {
    title: 'update the segment',
    send: 'PUT /api/admin/segments/{segmentId}',
    body: {
      name: '{segment}',
      description: 'Of the web',
      constraints: [{ contextName: 'appName', operator: 'IN', values: ['web', 'shop'] }],
    },
  },
  { title: 'a constraint is good', send: 'POST /api/admin/constraints/validate', body: gradual.constraints[0] },
  {
    title: 'a constraint that cannot be',
    send: 'POST /api/admin/constraints/validate',
    body: { contextName: 'x', operator: 'NUM_EQ', value: 'five' },
  },
  { title: 'flags of a project', send: `GET ${project}/features`, own: ['features'] },
  { title: 'search', send: 'GET /api/admin/search/features?query={flag}&sortBy=name&sortOrder=asc' },
  { title: 'search by type and tag', send: 'GET /api/admin/search/features?query={flag}&type=IS:release&limit=1' },
  { title: 'overview of a project', send: `GET ${project}/overview` },
  { title: 'history of a flag', send: 'GET /api/admin/events/{flag}' },
];

/** What flags are made of. */
const parts: readonly Step[] = [
  { title: 'create a tag type', send: 'POST /api/admin/tag-types', body: { name: '{type}', description: 'A team' } },
  {
    title: 'create the tag type again',
    send: 'POST /api/admin/tag-types',
    body: { name: '{type}', description: 'A team' },
  },
  {
    title: 'validate a tag type',
    send: 'POST /api/admin/tag-types/validate',
    body: { name: '{type}-2', description: '' },
  },
  { title: 'validate a tag type in use', send: 'POST /api/admin/tag-types/validate', body: { name: '{type}' } },
  { title: 'a tag type', send: 'GET /api/admin/tag-types/{type}' },
  { title: 'an unknown tag type', send: 'GET /api/admin/tag-types/nothing' },
  { title: 'update a tag type', send: 'PUT /api/admin/tag-types/{type}', body: { description: 'Who looks after it' } },
  { title: 'create a tag', send: 'POST /api/admin/tags', body: { type: '{type}', value: 'shop' } },
  { title: 'create the tag again', send: 'POST /api/admin/tags', body: { type: '{type}', value: 'shop' } },
  { title: 'a tag', send: 'GET /api/admin/tags/{type}/shop' },
  { title: 'tags of a type', send: 'GET /api/admin/tags/{type}' },
  {
    title: 'tag several flags',
    send: `PUT ${project}/tags`,
    body: {
      features: ['{flag}', '{parent}'],
      tags: { addedTags: [{ type: '{type}', value: 'desk' }], removedTags: [{ type: '{type}', value: 'shop' }] },
    },
  },
  {
    title: 'tag several flags by an unknown type',
    send: `PUT ${project}/tags`,
    body: { features: ['{flag}'], tags: { addedTags: [{ type: 'nothing', value: 'desk' }], removedTags: [] } },
  },
  { title: 'tags of a flag', send: 'GET /api/admin/features/{parent}/tags' },
  { title: 'remove the tag', send: 'DELETE /api/admin/features/{parent}/tags/{type}/desk' },
  { title: 'remove the other tag', send: 'DELETE /api/admin/features/{flag}/tags/{type}/desk' },
  { title: 'delete a tag', send: 'DELETE /api/admin/tags/{type}/desk' },
  { title: 'delete a tag type', send: 'DELETE /api/admin/tag-types/{type}' },
  { title: 'delete an unknown tag type', send: 'DELETE /api/admin/tag-types/nothing' },
  {
    title: 'create a context field',
    send: 'POST /api/admin/context',
    body: { name: '{field}', description: 'Where from', legalValues: [{ value: 'NZ' }], sortOrder: 7 },
  },
  { title: 'create the context field again', send: 'POST /api/admin/context', body: { name: '{field}' } },
  { title: 'validate a context field', send: 'POST /api/admin/context/validate', body: { name: '{field}-2' } },
  { title: 'validate a context field in use', send: 'POST /api/admin/context/validate', body: { name: '{field}' } },
  { title: 'a context field of the own', send: 'GET /api/admin/context/{field}' },
  { title: 'add a legal value', send: 'POST /api/admin/context/{field}/legal-values', body: { value: 'CH' } },
  { title: 'remove a legal value', send: 'DELETE /api/admin/context/{field}/legal-values/CH' },
  {
    title: 'compare the context field',
    send: `POST ${development}/strategies`,
    body: { name: 'default', constraints: [{ contextName: '{field}', operator: 'IN', values: ['NZ'] }] },
    keep: { comparing: 'id' },
  },
  { title: 'strategies that compare it', send: 'GET /api/admin/context/{field}/strategies' },
  { title: 'context fields and how they are used', send: 'GET /api/admin/context', own: [''] },
  { title: 'delete the context field in use', send: 'DELETE /api/admin/context/{field}' },
  { title: 'compare it no more', send: `DELETE ${development}/strategies/{comparing}` },
  {
    title: 'update a context field',
    send: 'PUT /api/admin/context/{field}',
    body: { description: 'Where', stickiness: true, sortOrder: 8, legalValues: [] },
  },
  { title: 'the context field after that', send: 'GET /api/admin/context/{field}' },
  { title: 'delete the context field', send: 'DELETE /api/admin/context/{field}' },
  { title: 'create a context field of the project', send: `POST ${project}/context`, body: { name: '{field}' } },
  { title: 'a context field of the project', send: `GET ${project}/context/{field}` },
  { title: 'context fields of the project', send: `GET ${project}/context`, own: [''] },
  { title: 'validate a name in the project', send: `POST ${project}/context/validate`, body: { name: '{field}' } },
  {
    title: 'update a context field of the project',
    send: `PUT ${project}/context/{field}`,
    body: { description: 'Where', stickiness: false, sortOrder: 8, legalValues: [] },
  },
  {
    title: 'add a legal value in the project',
    send: `POST ${project}/context/{field}/legal-values`,
    body: { value: 'CH' },
  },
  { title: 'remove a legal value in the project', send: `DELETE ${project}/context/{field}/legal-values/CH` },
  { title: 'strategies that compare it in the project', send: `GET ${project}/context/{field}/strategies` },
  { title: 'delete the context field of the project', send: `DELETE ${project}/context/{field}` },
  {
    title: 'create a strategy type',
    send: 'POST /api/admin/strategies',
    body: {
      name: '{strategyType}',
      description: 'By hours',
      parameters: [{ name: 'hours', type: 'list', required: true }],
    },
  },
  {
    title: 'create the strategy type again',
    send: 'POST /api/admin/strategies',
    body: { name: '{strategyType}', parameters: [] },
  },
  { title: 'deprecate a strategy type', send: 'POST /api/admin/strategies/{strategyType}/deprecate' },
  { title: 'the deprecated strategy type', send: 'GET /api/admin/strategies/{strategyType}' },
  { title: 'reactivate a strategy type', send: 'POST /api/admin/strategies/{strategyType}/reactivate' },
  {
    title: 'update a strategy type',
    send: 'PUT /api/admin/strategies/{strategyType}',
    body: { description: 'By the hour', parameters: [] },
  },
  { title: 'delete a strategy type', send: 'DELETE /api/admin/strategies/{strategyType}' },
  { title: 'delete an unknown strategy type', send: 'DELETE /api/admin/strategies/nothing' },
  { title: 'like the flag', send: `POST ${flag}/favorites`, body: {} },
  ...[
    'favoritesFirst=true',
    'state=IS:active',
    'tag=INCLUDE:simple:{tag}-2',
    'segment=INCLUDE:{segment}',
    'lifecycle=IS:initial',
    'createdAt=IS_ON_OR_AFTER:2020-01-01',
    'project=IS:default',
    'project=IS:nowhere',
    'status[]=development:enabled',
    'sortBy=createdAt&sortOrder=desc',
    'offset=1&limit=1',
  ].map((filter) => ({
    title: `search with ${filter.split(/[=:]/)[0]} ${filter}`,
    send: `GET /api/admin/search/features?query={flag}&${filter}`,
  })),
  { title: 'like it no more', send: `DELETE ${flag}/favorites`, body: {} },
];

/** Applications read it. */
const reading: readonly Step[] = [
  {
    title: 'create a client token',
    send: 'POST /api/admin/api-tokens',
    body: { ...token, type: 'client', tokenName: '{flag}-client' },
    keep: { 'client token': 'secret' },
  },
  {
    title: 'create a frontend token',
    send: 'POST /api/admin/api-tokens',
    body: { ...token, type: 'frontend', tokenName: '{flag}-frontend' },
    keep: { 'frontend token': 'secret' },
  },
  {
    title: 'create a token of no environment',
    send: 'POST /api/admin/api-tokens',
    body: { ...token, environment: 'nowhere', type: 'client', tokenName: '{flag}-nowhere' },
  },
  { title: 'tokens by name', send: 'GET /api/admin/api-tokens/{flag}-client' },
  {
    title: 'features of an SDK that knows segments',
    send: 'GET /api/client/features?namePrefix={flag}',
    as: 'client',
    headers: { 'unleash-client-spec': '5.2.0' },
    settles: true,
  },
  { title: 'features of an old SDK', send: 'GET /api/client/features?namePrefix={flag}', as: 'client', settles: true },
  { title: 'one feature', send: 'GET /api/client/features/{flag}', as: 'client' },
  { title: 'an unknown one', send: 'GET /api/client/features/{flag}-unknown', as: 'client' },
  { title: 'features by a wrong token', send: 'GET /api/client/features', as: 'frontend' },
  { title: 'features without a token', send: 'GET /api/client/features', as: 'nobody' },
  { title: 'the admin API by a client token', send: 'GET /api/admin/projects', as: 'client' },
  { title: 'delta', send: 'GET /api/client/delta', as: 'client' },
  { title: 'streaming', send: 'GET /api/client/streaming', as: 'client' },
  {
    title: 'register',
    send: 'POST /api/client/register',
    as: 'client',
    body: { appName: '{flag}-app', instanceId: 'i', interval: 10, started: bucket.start, strategies: ['default'] },
  },
  { title: 'register without a name', send: 'POST /api/client/register', as: 'client', body: { interval: 10 } },
  {
    title: 'metrics',
    send: 'POST /api/client/metrics',
    as: 'client',
    body: {
      appName: '{flag}-app',
      instanceId: 'i',
      bucket: { ...bucket, toggles: { '{flag}': { yes: 3, no: 1, variants: { blue: 3 } } } },
    },
  },
  { title: 'metrics of nothing', send: 'POST /api/client/metrics', as: 'client', body: { appName: '{flag}-app' } },
  { title: 'metrics without a name', send: 'POST /api/client/metrics', as: 'client', body: {} },
  {
    title: 'flags of a page',
    send: 'GET /api/frontend?userId=u1&properties[country]=NZ&appName=web',
    as: 'frontend',
    own: ['toggles'],
    settles: true,
  },
  {
    title: 'flags of a page by POST',
    send: 'POST /api/frontend',
    as: 'frontend',
    body: { context: { userId: 'u1' } },
    own: ['toggles'],
  },
  { title: 'flags of a page by a wrong token', send: 'GET /api/frontend', as: 'client' },
  {
    title: 'metrics of a page',
    send: 'POST /api/frontend/client/metrics',
    as: 'frontend',
    body: { appName: 'web', instanceId: 'browser', bucket: { ...bucket, toggles: {} } },
  },
  {
    title: 'tokens that a proxy asks about',
    send: 'POST /edge/validate',
    as: 'nobody',
    body: { tokens: ['{client token}', 'x:y.z'] },
  },
];

/** It grows old and goes. */
const ending: readonly Step[] = [
  { title: 'mark it stale', send: `POST ${project}/stale`, body: { features: ['{flag}'], stale: true } },
  { title: 'clone it', send: `POST ${flag}/clone`, body: { name: '{flag}-clone', replaceGroupId: true } },
  { title: 'read the clone', send: `GET ${project}/features/{flag}-clone` },
  { title: 'archive a parent', send: `DELETE ${project}/features/{parent}` },
  { title: 'may it be archived', send: `POST ${project}/archive/validate`, body: ['{flag}'] },
  { title: 'remove the dependency', send: `DELETE ${flag}/dependencies/{parent}` },
  { title: 'archive it', send: `DELETE ${flag}` },
  { title: 'read the archived flag', send: `GET ${flag}` },
  { title: 'switch the archived flag on', send: `POST ${development}/on` },
  { title: 'archived flags', send: 'GET /api/admin/search/features?archived=IS:true&query={flag}' },
  { title: 'revive it', send: 'POST /api/admin/archive/revive/{flag}' },
  { title: 'read the revived flag', send: `GET ${flag}`, settles: true },
  { title: 'archive several', send: `POST ${project}/archive`, body: { features: ['{flag}', '{flag}-clone'] } },
  { title: 'delete it for good', send: 'DELETE /api/admin/archive/{flag}' },
  { title: 'delete several for good', send: `POST ${project}/delete`, body: { features: ['{flag}-clone'] } },
  { title: 'read the deleted flag', send: `GET ${flag}` },
  { title: 'history of a deleted flag', send: 'GET /api/admin/events/{flag}' },
  { title: 'delete the segment', send: 'DELETE /api/admin/segments/{segmentId}' },
  { title: 'archive the parent at last', send: `DELETE ${project}/features/{parent}` },
  { title: 'delete the parent for good', send: 'DELETE /api/admin/archive/{parent}' },
  { title: 'delete the token', send: 'DELETE /api/admin/api-tokens/{client token}' },
  { title: 'delete the token of browsers', send: 'DELETE /api/admin/api-tokens/{frontend token}' },
  { title: 'features by a deleted token', send: 'GET /api/client/features', as: 'client', settles: true },
];

/** The life of a flag, from an empty server to its last event. */
export const life: readonly Step[] = [...builtIn, ...making, ...parts, ...reading, ...surroundings, ...ending];
