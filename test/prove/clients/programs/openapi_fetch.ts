// Six calls with openapi-fetch and the types that openapi-typescript makes.
import createClient from 'openapi-fetch';
import type { paths } from './flagstaff.d.ts';

const [, , baseUrl = '', authorization = '', name = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization } });

function dataOf<Data>({ data, error }: { readonly data?: Data; readonly error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const feature = '/api/admin/projects/{projectId}/features/{featureName}';
const path = { projectId: 'default', featureName: name };
const inDevelopment = { params: { path: { ...path, environment: 'development' } } };

const created = dataOf(
  await client.POST('/api/admin/projects/{projectId}/features', {
    params: { path: { projectId: 'default' } },
    body: { name, type: 'experiment', description: 'Generated' },
  }),
);
const strategy = dataOf(
  await client.POST(`${feature}/environments/{environment}/strategies`, {
    ...inDevelopment,
    body: {
      name: 'flexibleRollout',
      parameters: { rollout: '50' },
      constraints: [{ contextName: 'country', operator: 'IN', values: ['NZ', 'AU'] }],
    },
  }),
);
dataOf(await client.POST(`${feature}/environments/{environment}/on`, inDevelopment));
const read = dataOf(await client.GET(feature, { params: { path } }));
const { projects } = dataOf(await client.GET('/api/admin/projects'));
const { response } = await client.DELETE(feature, { params: { path } });

const printed = {
  created: [created.name, created.type, created.description],
  strategy: [strategy.parameters.rollout, strategy.constraints[0]?.values],
  on: read.environments.filter(({ enabled }) => enabled).map((environment) => environment.name),
  owners: projects[0]?.owners.map((owner) => ('name' in owner ? owner.name : '')),
  archived: response.status,
};
console.log(JSON.stringify(printed));
