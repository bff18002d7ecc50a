import { gradual, type ScriptStep, stepsOf, type TitledCalls } from './step.ts';
import { surroundings } from './surroundings.ts';

const project = '/api/admin/projects/default';
const flag = `${project}/features/{flag}`;
const development = `${flag}/environments/development`;
const bulk = `${project}/bulk_features/environments`;
const variants = `${project}/features/{variants}`;

const token = { environment: 'development', projects: ['default'] };

const bucket = { start: '2026-11-21T10:00:00.123456789Z', stop: '2026-11-21T10:01:00Z' };

/** Reads of a server on which nothing has been done yet. */
const builtIn: TitledCalls = {
  health: 'GET /health',
  projects: 'GET /api/admin/projects',
  'feature types': 'GET /api/admin/feature-types',
  'strategy types': 'GET /api/admin/strategies',
  'a strategy type': 'GET /api/admin/strategies/flexibleRollout',
  'an unknown strategy type': 'GET /api/admin/strategies/nothing',
  'context fields': 'GET /api/admin/context',
  'a context field': 'GET /api/admin/context/userId',
  'tag types': 'GET /api/admin/tag-types',
  environments: 'GET /api/admin/environments',
  'an environment': 'GET /api/admin/environments/development',
  'environments of a project': 'GET /api/admin/environments/project/default',
  'no token': 'GET /api/admin/projects as nobody',
};

/** A flag is made and set up. */
const making: TitledCalls = {
  'a name is free': { send: 'POST /api/admin/features/validate', body: { name: '{flag}' } },
  'a name that cannot be': { send: 'POST /api/admin/features/validate', body: { name: 'a b' } },
  'create a flag': {
    send: `POST ${project}/features`,
    body: { name: '{flag}', type: 'release', description: 'The checkout', impressionData: true },
  },
  'create it again': { send: `POST ${project}/features`, body: { name: '{flag}', type: 'release' } },
  'create one without a name': { send: `POST ${project}/features`, body: { type: 'release' } },
  'create one in no project': { send: 'POST /api/admin/projects/nowhere/features', body: { name: '{flag}-x' } },
  'create a parent': { send: `POST ${project}/features`, body: { name: '{parent}', type: 'release' } },
  'read the flag': `GET ${flag}`,
  'update the flag': {
    send: `PUT ${flag}`,
    body: { name: '{flag}', type: 'experiment', description: 'The checkout', impressionData: true, stale: false },
  },
  'read it with variants': `GET ${flag}?variantEnvironments=true`,
  'read an unknown flag': `GET ${project}/features/{flag}-unknown`,
  'add a strategy': { send: `POST ${development}/strategies`, body: gradual, keep: { strategy: 'id' } },
  'add a second one': { send: `POST ${development}/strategies`, body: { name: 'default' }, keep: { second: 'id' } },
  'list the strategies': `GET ${development}/strategies`,
  'read a strategy': `GET ${development}/strategies/{strategy}`,
  'update a strategy and leave its constraints out': {
    send: `PUT ${development}/strategies/{strategy}`,
    body: { name: gradual.name, parameters: gradual.parameters },
  },
  'update a strategy': {
    send: `PUT ${development}/strategies/{strategy}`,
    body: { ...gradual, parameters: { ...gradual.parameters, rollout: '50' } },
  },
  'patch a strategy': {
    send: `PATCH ${development}/strategies/{strategy}`,
    body: [{ op: 'replace', path: '/parameters/rollout', value: '60' }],
  },
  'reorder the strategies': {
    send: `POST ${development}/strategies/set-sort-order`,
    body: [
      { id: '{second}', sortOrder: 0 },
      { id: '{strategy}', sortOrder: 1 },
    ],
  },
  'strategies in their new order': `GET ${development}/strategies`,
  'delete the second strategy': `DELETE ${development}/strategies/{second}`,
  'switch it on': `POST ${development}/on`,
  'switch several off': { send: `POST ${bulk}/development/off`, body: { features: ['{flag}'] } },
  'switch several on': { send: `POST ${bulk}/development/on`, body: { features: ['{flag}'] } },
  'switch it on where nothing is set up': `POST ${flag}/environments/production/on`,
  'switch it on in no environment': `POST ${flag}/environments/nowhere/on`,
  'switch it off again': `POST ${flag}/environments/production/off`,
  'read it as it is set up': `GET ${flag}`,
  'patch it': { send: `PATCH ${flag}`, body: [{ op: 'replace', path: '/description', value: 'Another text' }] },
  'what it is in an environment': `GET ${development}`,
  'what it is in no environment': `GET ${flag}/environments/nowhere`,
  'create a flag for variants': { send: `POST ${project}/features`, body: { name: '{variants}', type: 'release' } },
  'give it variants in an environment': {
    send: `PUT ${variants}/environments/development/variants`,
    body: [
      { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' },
      { name: 'green', weight: 500, weightType: 'variable', stickiness: 'default' },
    ],
  },
  'variants of an environment': `GET ${variants}/environments/development/variants`,
  'patch variants of an environment': {
    send: `PATCH ${variants}/environments/development/variants`,
    body: [{ op: 'replace', path: '/0/name', value: 'red' }],
  },
  'give it variants in several environments': {
    send: `PUT ${variants}/variants-batch`,
    body: {
      environments: ['development', 'production'],
      variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    },
  },
  'archive the flag with variants': `DELETE ${variants}`,
  'delete the flag with variants': 'DELETE /api/admin/archive/{variants}',
  'link something': { send: `POST ${flag}/link`, body: { url: 'https://example.com/1', title: 'The plan' } },
  'read the link': { send: `GET ${flag}`, keep: { link: 'links.0.id' } },
  'change a link': { send: `PUT ${flag}/link/{link}`, body: { url: 'https://example.com/2', title: 'The new plan' } },
  'remove a link': `DELETE ${flag}/link/{link}`,
  'complete it': { send: `POST ${flag}/lifecycle/complete`, body: { status: 'kept', statusValue: 'blue' } },
  'take that back': `POST ${flag}/lifecycle/uncomplete`,
  'variants of a parent': `GET ${project}/features/{parent}/parent-variants`,
  'make it depend on a parent': { send: `POST ${flag}/dependencies`, body: { feature: '{parent}' } },
  'make it depend on nothing': `DELETE ${flag}/dependencies`,
  'create another parent': { send: `POST ${project}/features`, body: { name: '{parent}-2', type: 'release' } },
  'make it depend on the other parent': { send: `POST ${flag}/dependencies`, body: { feature: '{parent}-2' } },
  'make it depend on another': { send: `POST ${flag}/dependencies`, body: { feature: '{parent}' } },
  'what it depends on': `GET ${flag}`,
  'archive the other parent': `DELETE ${project}/features/{parent}-2`,
  'delete the other parent': 'DELETE /api/admin/archive/{parent}-2',
  'who may be a parent': { send: `GET ${flag}/parents`, own: [''] },
  'whether there are dependencies': `GET ${project}/dependencies`,
  'tag it': { send: 'POST /api/admin/features/{flag}/tags', body: { type: 'simple', value: '{tag}' } },
  'its tags': 'GET /api/admin/features/{flag}/tags',
  'change its tags': {
    send: 'PUT /api/admin/features/{flag}/tags',
    body: { addedTags: [{ type: 'simple', value: '{tag}-2' }], removedTags: [{ type: 'simple', value: '{tag}' }] },
  },
  'remove a tag': 'DELETE /api/admin/features/{flag}/tags/simple/{tag}-2',
  'create a segment': {
    send: 'POST /api/admin/segments',
    body: { name: '{segment}', constraints: [{ contextName: 'appName', operator: 'IN', values: ['web'] }] },
    keep: { segmentId: 'id' },
  },
  segments: { send: 'GET /api/admin/segments', own: ['segments'] },
  'a segment': 'GET /api/admin/segments/{segmentId}',
  'an unknown segment': 'GET /api/admin/segments/1000000',
  'use the segment': {
    send: 'POST /api/admin/segments/strategies',
    body: { projectId: 'default', environmentId: 'development', strategyId: '{strategy}', segmentIds: '{segmentIds}' },
  },
  'segments of a strategy': 'GET /api/admin/segments/strategies/{strategy}',
  'segments of an unknown strategy': 'GET /api/admin/segments/strategies/unknown',
  'strategies that use the segment': 'GET /api/admin/segments/{segmentId}/strategies',
  'segments and how they are used': { send: 'GET /api/admin/segments', own: ['segments'] },
  'delete the segment in use': 'DELETE /api/admin/segments/{segmentId}',
  'a segment name in use': { send: 'POST /api/admin/segments/validate', body: { name: '{segment}' } },
  'update the segment': {
    send: 'PUT /api/admin/segments/{segmentId}',
    body: {
      name: '{segment}',
      description: 'Of the web',
      constraints: [{ contextName: 'appName', operator: 'IN', values: ['web', 'shop'] }],
    },
  },
  'update the segment and leave its description out': {
    send: 'PUT /api/admin/segments/{segmentId}',
    body: { name: '{segment}', constraints: [] },
  },
  'the segment after that': 'GET /api/admin/segments/{segmentId}',
  'a constraint is good': { send: 'POST /api/admin/constraints/validate', body: gradual.constraints[0] },
  'a constraint that cannot be': {
    send: 'POST /api/admin/constraints/validate',
    body: { contextName: 'x', operator: 'NUM_EQ', value: 'five' },
  },
  'flags of a project': { send: `GET ${project}/features`, own: ['features'] },
  search: 'GET /api/admin/search/features?query={flag}&sortBy=name&sortOrder=asc',
  'search by type and tag': 'GET /api/admin/search/features?query={flag}&type=IS:release&limit=1',
  'overview of a project': `GET ${project}/overview`,
  'history of a flag': 'GET /api/admin/events/{flag}',
};

/** Parts of flags. */
const parts: TitledCalls = {
  'create a tag type': { send: 'POST /api/admin/tag-types', body: { name: '{type}', description: 'A team' } },
  'create the tag type again': { send: 'POST /api/admin/tag-types', body: { name: '{type}', description: 'A team' } },
  'validate a tag type': { send: 'POST /api/admin/tag-types/validate', body: { name: '{type}-2', description: '' } },
  'validate a tag type in use': { send: 'POST /api/admin/tag-types/validate', body: { name: '{type}' } },
  'a tag type': 'GET /api/admin/tag-types/{type}',
  'an unknown tag type': 'GET /api/admin/tag-types/nothing',
  'update a tag type': { send: 'PUT /api/admin/tag-types/{type}', body: { description: 'Who looks after it' } },
  'create a tag': { send: 'POST /api/admin/tags', body: { type: '{type}', value: 'shop' } },
  'create the tag again': { send: 'POST /api/admin/tags', body: { type: '{type}', value: 'shop' } },
  'a tag': 'GET /api/admin/tags/{type}/shop',
  tags: { send: 'GET /api/admin/tags', own: ['tags'] },
  'tags of a type': 'GET /api/admin/tags/{type}',
  'tag several flags': {
    send: `PUT ${project}/tags`,
    body: {
      features: ['{flag}', '{parent}'],
      tags: { addedTags: [{ type: '{type}', value: 'desk' }], removedTags: [{ type: '{type}', value: 'shop' }] },
    },
  },
  'tag several flags by an unknown type': {
    send: `PUT ${project}/tags`,
    body: { features: ['{flag}'], tags: { addedTags: [{ type: 'nothing', value: 'desk' }], removedTags: [] } },
  },
  'tags of a flag': 'GET /api/admin/features/{parent}/tags',
  'remove the tag': 'DELETE /api/admin/features/{parent}/tags/{type}/desk',
  'remove the other tag': 'DELETE /api/admin/features/{flag}/tags/{type}/desk',
  'delete a tag': 'DELETE /api/admin/tags/{type}/desk',
  'delete a tag type': 'DELETE /api/admin/tag-types/{type}',
  'delete an unknown tag type': 'DELETE /api/admin/tag-types/nothing',
  'create a context field': {
    send: 'POST /api/admin/context',
    body: { name: '{field}', description: 'Where from', legalValues: [{ value: 'NZ' }], sortOrder: 7 },
  },
  'create the context field again': { send: 'POST /api/admin/context', body: { name: '{field}' } },
  'validate a context field': { send: 'POST /api/admin/context/validate', body: { name: '{field}-2' } },
  'validate a context field in use': { send: 'POST /api/admin/context/validate', body: { name: '{field}' } },
  'a context field of the own': 'GET /api/admin/context/{field}',
  'add a legal value': { send: 'POST /api/admin/context/{field}/legal-values', body: { value: 'CH' } },
  'remove a legal value': 'DELETE /api/admin/context/{field}/legal-values/CH',
  'compare the context field': {
    send: `POST ${development}/strategies`,
    body: { name: 'default', constraints: [{ contextName: '{field}', operator: 'IN', values: ['NZ'] }] },
    keep: { comparing: 'id' },
  },
  'strategies that compare it': 'GET /api/admin/context/{field}/strategies',
  'context fields and how they are used': { send: 'GET /api/admin/context', own: [''] },
  'delete the context field in use': 'DELETE /api/admin/context/{field}',
  'compare it no more': `DELETE ${development}/strategies/{comparing}`,
  'update a context field': {
    send: 'PUT /api/admin/context/{field}',
    body: { description: 'Where', stickiness: true, sortOrder: 8, legalValues: [{ value: 'CH' }] },
  },
  'the context field after that': 'GET /api/admin/context/{field}',
  'update a context field by nothing': { send: 'PUT /api/admin/context/{field}', body: {} },
  'what a context field still has': 'GET /api/admin/context/{field}',
  'delete the context field': 'DELETE /api/admin/context/{field}',
  'create a context field of the project': { send: `POST ${project}/context`, body: { name: '{field}' } },
  'a context field of the project': `GET ${project}/context/{field}`,
  'context fields of the project': { send: `GET ${project}/context`, own: [''] },
  'validate a name in the project': { send: `POST ${project}/context/validate`, body: { name: '{field}' } },
  'update a context field of the project': {
    send: `PUT ${project}/context/{field}`,
    body: { description: 'Where', stickiness: false, sortOrder: 8, legalValues: [] },
  },
  'add a legal value in the project': { send: `POST ${project}/context/{field}/legal-values`, body: { value: 'CH' } },
  'remove a legal value in the project': `DELETE ${project}/context/{field}/legal-values/CH`,
  'strategies that compare it in the project': `GET ${project}/context/{field}/strategies`,
  'delete the context field of the project': `DELETE ${project}/context/{field}`,
  'create a strategy type': {
    send: 'POST /api/admin/strategies',
    body: {
      name: '{strategyType}',
      description: 'By hours',
      parameters: [{ name: 'hours', type: 'list', required: true }],
    },
  },
  'create the strategy type again': {
    send: 'POST /api/admin/strategies',
    body: { name: '{strategyType}', parameters: [] },
  },
  'deprecate a strategy type': 'POST /api/admin/strategies/{strategyType}/deprecate',
  'the deprecated strategy type': 'GET /api/admin/strategies/{strategyType}',
  'reactivate a strategy type': 'POST /api/admin/strategies/{strategyType}/reactivate',
  'update a strategy type': {
    send: 'PUT /api/admin/strategies/{strategyType}',
    body: { description: 'By the hour', parameters: [] },
  },
  'delete a strategy type': 'DELETE /api/admin/strategies/{strategyType}',
  'delete an unknown strategy type': 'DELETE /api/admin/strategies/nothing',
  'like the flag': { send: `POST ${flag}/favorites`, body: {} },
  ...Object.fromEntries(
    [
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
    ].map((filter) => [
      `search with ${filter.split(/[=:]/)[0]} ${filter}`,
      `GET /api/admin/search/features?query={flag}&${filter}`,
    ]),
  ),
  'like it no more': { send: `DELETE ${flag}/favorites`, body: {} },
};

/** Applications read it. */
const reading: TitledCalls = {
  'create a client token': {
    send: 'POST /api/admin/api-tokens',
    body: { ...token, type: 'client', tokenName: '{flag}-client' },
    keep: { 'client token': 'secret' },
  },
  'create a frontend token': {
    send: 'POST /api/admin/api-tokens',
    body: { ...token, type: 'frontend', tokenName: '{flag}-frontend' },
    keep: { 'frontend token': 'secret' },
  },
  'create a token of no environment': {
    send: 'POST /api/admin/api-tokens',
    body: { ...token, environment: 'nowhere', type: 'client', tokenName: '{flag}-nowhere' },
  },
  tokens: { send: 'GET /api/admin/api-tokens', own: ['tokens'] },
  'change when a token expires': {
    send: 'PUT /api/admin/api-tokens/{client token}',
    body: { expiresAt: '2099-01-01T00:00:00.000Z' },
  },
  'tokens by name': 'GET /api/admin/api-tokens/{flag}-client',
  'features of an SDK that knows segments': {
    send: 'GET /api/client/features?namePrefix={flag} as client',
    headers: { 'unleash-client-spec': '5.2.0' },
    settles: true,
  },
  'features of an old SDK': { send: 'GET /api/client/features?namePrefix={flag} as client', settles: true },
  'one feature': 'GET /api/client/features/{flag} as client',
  'an unknown one': 'GET /api/client/features/{flag}-unknown as client',
  'features by a wrong token': 'GET /api/client/features as frontend',
  'features without a token': 'GET /api/client/features as nobody',
  'the admin API by a client token': 'GET /api/admin/projects as client',
  delta: 'GET /api/client/delta as client',
  streaming: 'GET /api/client/streaming as client',
  register: {
    send: 'POST /api/client/register as client',
    body: { appName: '{flag}-app', instanceId: 'i', interval: 10, started: bucket.start, strategies: ['default'] },
  },
  'register without a name': { send: 'POST /api/client/register as client', body: { interval: 10 } },
  metrics: {
    send: 'POST /api/client/metrics as client',
    body: {
      appName: '{flag}-app',
      instanceId: 'i',
      bucket: { ...bucket, toggles: { '{flag}': { yes: 3, no: 1, variants: { blue: 3 } } } },
    },
  },
  'metrics of several applications': {
    send: 'POST /api/client/metrics/bulk as client',
    body: {
      applications: [{ appName: '{flag}-app', instanceId: 'j', environment: 'development' }],
      metrics: [
        {
          featureName: '{flag}',
          appName: '{flag}-app',
          environment: 'development',
          timestamp: bucket.stop,
          yes: 1,
          no: 1,
        },
      ],
    },
  },
  'metrics of its own': {
    send: 'POST /api/client/metrics/custom as client',
    body: { metrics: [{ name: 'orders', value: 3, labels: { app: '{flag}' } }] },
  },
  'metrics of nothing': { send: 'POST /api/client/metrics as client', body: { appName: '{flag}-app' } },
  'metrics without a name': { send: 'POST /api/client/metrics as client', body: {} },
  'flags of a page': {
    send: 'GET /api/frontend?userId=u1&properties[country]=NZ&appName=web as frontend',
    own: ['toggles'],
    settles: true,
  },
  'flags of a page by POST': {
    send: 'POST /api/frontend as frontend',
    body: { context: { userId: 'u1' } },
    own: ['toggles'],
  },
  'flags of a page by a wrong token': 'GET /api/frontend as client',
  'register a page': {
    send: 'POST /api/frontend/client/register as frontend',
    body: { appName: 'web', interval: 10, started: bucket.start, strategies: ['default'] },
  },
  'metrics of a page': {
    send: 'POST /api/frontend/client/metrics as frontend',
    body: { appName: 'web', instanceId: 'browser', bucket: { ...bucket, toggles: {} } },
  },
  'tokens that a proxy asks about': {
    send: 'POST /edge/validate as nobody',
    body: { tokens: ['{client token}', 'x:y.z'] },
  },
  'tokens for an Edge that signs nothing': {
    send: 'POST /edge/issue-token as nobody',
    body: { tokens: [{ environment: 'development', projects: ['default'] }] },
  },
};

/** It grows old and goes. */
const ending: TitledCalls = {
  'mark it stale': { send: `POST ${project}/stale`, body: { features: ['{flag}'], stale: true } },
  'clone it': { send: `POST ${flag}/clone`, body: { name: '{flag}-clone', replaceGroupId: true } },
  'read the clone': `GET ${project}/features/{flag}-clone`,
  'archive a parent': `DELETE ${project}/features/{parent}`,
  'may it be archived': { send: `POST ${project}/archive/validate`, body: ['{flag}'] },
  'remove the dependency': `DELETE ${flag}/dependencies/{parent}`,
  'archive it': `DELETE ${flag}`,
  'read the archived flag': `GET ${flag}`,
  'switch the archived flag on': `POST ${development}/on`,
  'archived flags': 'GET /api/admin/search/features?archived=IS:true&query={flag}',
  'revive it': 'POST /api/admin/archive/revive/{flag}',
  'read the revived flag': { send: `GET ${flag}`, settles: true },
  'archive several': { send: `POST ${project}/archive`, body: { features: ['{flag}', '{flag}-clone'] } },
  'revive several': { send: `POST ${project}/revive`, body: { features: ['{flag}', '{flag}-clone'] } },
  'archive them again': { send: `POST ${project}/archive`, body: { features: ['{flag}', '{flag}-clone'] } },
  'delete it for good': 'DELETE /api/admin/archive/{flag}',
  'delete several for good': { send: `POST ${project}/delete`, body: { features: ['{flag}-clone'] } },
  'read the deleted flag': `GET ${flag}`,
  'history of a deleted flag': 'GET /api/admin/events/{flag}',
  'delete the segment': 'DELETE /api/admin/segments/{segmentId}',
  'archive the parent at last': `DELETE ${project}/features/{parent}`,
  'delete the parent for good': 'DELETE /api/admin/archive/{parent}',
  'delete the token': 'DELETE /api/admin/api-tokens/{client token}',
  'delete the token of browsers': 'DELETE /api/admin/api-tokens/{frontend token}',
  'features by a deleted token': { send: 'GET /api/client/features as client', settles: true },
};

/** The life of a flag, from an empty server to its last event. */
export const life: readonly ScriptStep[] = [
  ...stepsOf(builtIn, making, parts, reading),
  ...surroundings,
  ...stepsOf(ending),
];
