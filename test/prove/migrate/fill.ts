import { slicesOf, times } from '../../bench/throughput/names.ts';
import { type Address, get, post, put, send, type TimedCall } from '../../harness/http-call.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import { flagName, flagOf, sampleConstraints } from './flags.ts';

/** Amounts of what there may be any number of. */
export interface FillSize {
  readonly flags: number;
  readonly segments: number;
  readonly tokens: number;
  readonly users: number;
  /** Only for servers that make projects, as the open-source edition of Unleash does not. */
  readonly projects: number;
}

const flagsAtOnce = 100;

/**
 * Fills a server through its API with all that it can express. An edition of Unleash that lacks an operation does without
 * what that makes.
 * @returns what was made, by kind, to be shown.
 */
export async function fillServer(server: Address, size: FillSize): Promise<Readonly<Record<string, number>>> {
  const made: Record<string, number> = {};
  /** Makes one thing after the other; answers what the server answered, nothing where it lacks the operation. */
  async function make(kind: string, calls: readonly TimedCall[]): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const call of calls) {
      const answer = await offered(server, call);
      if (answer === undefined) break;
      answers.push(answer);
    }
    made[kind] = (made[kind] ?? 0) + answers.length;
    return answers;
  }
  await make('environments', environmentCalls());
  await make('context fields', contextFieldCalls());
  const { strategies } = (await send(server, get('/api/admin/strategies'))) as { strategies: { name: string }[] };
  await make('strategy types', strategyTypeCalls(new Set(strategies.map(({ name }) => name))));
  await make('tag types', tagTypeCalls());
  await make('feature types', [put('/api/admin/feature-types/experiment/lifetime', { lifetimeDays: 99 })]);
  const there = (await send(server, get('/api/admin/projects'))) as { projects: { id: string }[] };
  const projects = there.projects.map(({ id }) => id);
  for (const id of times(size.projects - projects.length, (index) => `project-${index + 1}`)) {
    const [project] = await make('projects', [post('/api/admin/projects', projectOf(id))]);
    if (project === undefined) break;
    await make('settings of projects', [put(`/api/admin/projects/${id}/settings`, settingsOf(id))]);
    projects.push(id);
  }
  await make(
    'context fields of projects',
    projects.slice(-3).map((id) => post(`/api/admin/projects/${id}/context`, { name: `of.${id}`, description: id })),
  );
  const segments = (await make('segments', segmentCalls(size.segments, projects))) as { id: number }[];
  const users = (await make('users', userCalls(size.users))) as { id: number }[];
  await make('groups', groupCalls(users));
  const roles = (await make('roles', roleCalls())) as { roles: { id: number } }[];
  await make('service accounts', serviceAccountCalls());
  if (roles.length > 0) await make('access to projects', accessCalls(projects, users, roles));
  await make('default strategies', [
    post('/api/admin/projects/default/environments/production/default-strategy', {
      name: 'flexibleRollout',
      parameters: { rollout: '25', stickiness: 'default', groupId: 'default' },
    }),
  ]);
  const perProject = Math.ceil(size.flags / projects.length);
  for (const project of projects) {
    await make(
      'imports of flags',
      flagCalls(
        project,
        perProject,
        segments.map(({ id }) => id),
      ),
    );
    await make('changes of flags', changeCalls(project, perProject));
  }
  await make('tokens', tokenCalls(size.tokens, projects));
  await make('integrations', integrationCalls());
  await make('applications', [
    post('/api/admin/metrics/applications/till', { description: 'In the shop', url: 'https://example.com/till' }),
  ]);
  await make('invitations', [
    post('/api/admin/invite-link/tokens', { name: 'everybody', expiresAt: '2036-01-01T00:00:00.000Z' }),
  ]);
  await make('settings', [post('/api/admin/ui-config/cors', { frontendApiOrigins: ['https://shop.example.com'] })]);
  return made;
}

/** Undefined where the server does not know the path, sells what it does, or cannot look up the host of an integration. */
async function offered(server: Address, call: TimedCall): Promise<unknown> {
  try {
    return (await send(server, call)) ?? null;
  } catch (error) {
    if (/ was answered 404: .*The path you were looking for|getaddrinfo/.test(String(error))) return undefined;
    throw error;
  }
}

const environmentCalls = () => [
  post('/api/admin/environments', { name: 'staging', type: 'preproduction', sortOrder: 7, enabled: true }),
  post('/api/admin/environments', { name: 'old.Stage_2', type: 'test', sortOrder: 9, enabled: false }),
  put('/api/admin/environments/sort-order', { development: 1, staging: 2, production: 3 }),
];

const contextFieldCalls = () =>
  [
    {
      name: 'country',
      description: 'ISO 3166',
      legalValues: ['NZ', 'CH', 'DE', 'US'].map((value) => ({ value, description: `In ${value}` })),
    },
    { name: 'tenant', description: 'Who pays', stickiness: true, sortOrder: 3 },
    { name: 'email', description: '' },
    { name: 'age', sortOrder: 12 },
    { name: 'version' },
    { name: 'plan', legalValues: [{ value: 'gold' }, { value: 'silver' }] },
  ].map((field) => post('/api/admin/context', field));

/** Those that new servers lack, and that servers of years ago keep, with their parameters. */
const retiredTypes = {
  userWithId: ['userIds'],
  gradualRolloutUserId: ['percentage', 'groupId'],
  gradualRolloutSessionId: ['percentage', 'groupId'],
  gradualRolloutRandom: ['percentage'],
};

const strategyTypeCalls = (known: ReadonlySet<string>) => [
  ...Object.entries(retiredTypes)
    .filter(([name]) => !known.has(name))
    .map(([name, parameters]) =>
      post('/api/admin/strategies', { name, parameters: parameters.map((each) => ({ name: each, type: 'string' })) }),
    ),
  post('/api/admin/strategies', {
    name: 'storeHours',
    title: 'Store hours',
    description: 'While the store is open',
    parameters: [
      { name: 'hours', type: 'list', description: 'From and to', required: true },
      { name: 'percent', type: 'percentage', description: '', required: false },
      { name: 'note', type: 'string', description: 'Any', required: false },
      { name: 'open', type: 'boolean', description: '', required: false },
      { name: 'most', type: 'number', description: '', required: false },
    ],
  }),
  post('/api/admin/strategies', { name: 'oldOne', description: 'No more', parameters: [] }),
  post('/api/admin/strategies/oldOne/deprecate', {}),
];

const tagTypeCalls = () => [
  post('/api/admin/tag-types', { name: 'area', description: 'Part of the shop', icon: '#' }),
  post('/api/admin/tag-types', { name: 'team', description: '', icon: 'T' }),
  post('/api/admin/tags', { type: 'team', value: 'on no flag' }),
];

const projectOf = (id: string) => ({
  id,
  name: `Project ${id}`,
  description: `All of ${id}`,
  mode: ['open', 'protected', 'private'][id.length % 3],
  defaultStickiness: id.endsWith('1') ? 'userId' : 'default',
  environments: id.endsWith('2') ? ['development', 'staging', 'production'] : ['development', 'production'],
});

const settingsOf = (id: string) => ({
  featureNaming: { pattern: `${id}\\..+`, example: `${id}.flag`, description: 'The project, a dot and more' },
  linkTemplates: [{ title: 'Ticket', urlTemplate: 'https://example.com/{{project}}/{{feature}}' }],
});

const segmentCalls = (count: number, projects: readonly string[]) =>
  times(count, (index) =>
    post('/api/admin/segments', {
      name: `segment-${index}`,
      description: index % 2 === 0 ? `The ${index}. segment` : '',
      constraints: times((index % 3) + 1, (place) => sampleConstraints[(index + place * 7) % sampleConstraints.length]),
      // Those of a project are no use to the others, which take their segments from all.
      ...(index === count - 1 && { project: projects.at(-1) }),
    }),
  );

const userCalls = (count: number) =>
  times(count, (index) =>
    post('/api/admin/user-admin', {
      name: `User No. ${index}`,
      email: `user-${index}@example.com`,
      ...(index % 2 === 0 && { username: `user-${index}` }),
      rootRole: (index % 3) + 1,
      sendEmail: false,
    }),
  );

const groupCalls = (users: readonly { id: number }[]) =>
  times(3, (index) =>
    post('/api/admin/groups', {
      name: `Group ${index}`,
      description: `The ${index}. group`,
      mappingsSSO: index === 1 ? ['sso-group'] : [],
      users: users.filter((_, place) => place % 3 === index).map(({ id }) => ({ user: { id } })),
    }),
  );

const roleCalls = () => [
  post('/api/admin/roles', {
    name: 'Segment keeper',
    description: 'Of all segments',
    type: 'root-custom',
    permissions: ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'DELETE_SEGMENT'].map((name) => ({ name })),
  }),
  post('/api/admin/roles', {
    name: 'Switcher',
    description: 'Switches in development',
    type: 'custom',
    permissions: [{ name: 'UPDATE_FEATURE' }, { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }],
  }),
];

const serviceAccountCalls = () =>
  times(2, (index) =>
    post('/api/admin/service-account', { username: `service-${index}`, name: `Service ${index}`, rootRole: index + 1 }),
  );

const accessCalls = (
  projects: readonly string[],
  users: readonly { id: number }[],
  roles: readonly { roles: { id: number } }[],
) =>
  projects.slice(1).map((project, index) =>
    post(`/api/admin/projects/${project}/access`, {
      users: users.length === 0 ? [] : [users[index % users.length]?.id],
      groups: [],
      roles: [roles.at(-1)?.roles.id],
    }),
  );

const flagCalls = (project: string, count: number, segments: readonly number[]) =>
  ['development', 'production'].flatMap((environment) =>
    slicesOf(
      times(count, (index) => index),
      flagsAtOnce,
    ).map((indexes) => {
      const features = indexes.map((index) => flagOf(index, { project, environment, segments: segments.slice(0, -1) }));
      const used = new Set(
        features.flatMap(({ strategies = [] }) =>
          strategies.flatMap((each) => (each as { segments: number[] }).segments),
        ),
      );
      const further = {
        segments: segments.flatMap((id, index) => (used.has(id) ? [{ id, name: `segment-${index}` }] : [])),
        tagTypes: ['simple', 'area'].map((name) => ({ name })),
      };
      return post(importPath, importOf(features, { project, environment, further }));
    }),
  );

/** Changes that an import cannot make, of some flags. */
function changeCalls(project: string, count: number): TimedCall[] {
  const path = `/api/admin/projects/${project}`;
  const named = (of: number, rest: number) =>
    times(count, (index) => index)
      .filter((index) => index % of === rest)
      .map((index) => flagName(index, project));
  const bulk = (operation: string, features: readonly string[], more: object = {}) =>
    slicesOf(features, 50).map((part) => post(`${path}/${operation}`, { features: part, ...more }));
  return [
    ...bulk('stale', named(13, 0), { stale: true }),
    ...named(50, 3).map((name) => post(`${path}/features/${name}/favorites`, {})),
    post(`${path}/favorites`, {}),
    ...named(29, 5).map((name) =>
      post(`${path}/features/${name}/lifecycle/complete`, { status: 'kept', statusValue: 'variant-0' }),
    ),
    ...named(100, 7).map((name) =>
      post(`${path}/features/${name}/clone`, { name: `${name}-clone`, replaceGroupId: true }),
    ),
    // Neither a parent nor a child.
    ...bulk('archive', named(11, 5)),
  ];
}

const tokenCalls = (count: number, projects: readonly string[]) =>
  times(count, (index) => {
    const some = [projects[index % projects.length] ?? 'default', projects[(index + 1) % projects.length] ?? 'default'];
    return post('/api/admin/api-tokens', {
      tokenName: `token-${index}`,
      type: index % 3 === 2 ? 'frontend' : 'client',
      environment: index % 2 === 0 ? 'development' : 'production',
      projects: index < 4 ? ['*'] : [...new Set(index % 5 === 0 ? some : some.slice(1))],
      ...(index % 7 === 0 && { expiresAt: '2036-01-01T00:00:00.000Z' }),
    });
  });

const integrationCalls = () => [
  post('/api/admin/addons', {
    provider: 'webhook',
    description: 'To the desk',
    enabled: true,
    parameters: {
      url: 'https://hooks.example.com/desk',
      authorization: 'Bearer secret',
      contentType: 'application/json',
    },
    events: ['feature-created', 'feature-archived'],
    projects: ['default'],
    environments: ['development'],
  }),
  post('/api/admin/addons', {
    provider: 'datadog',
    description: '',
    enabled: false,
    parameters: { apiKey: 'a secret', url: 'https://datadog.example.com/api' },
    events: ['feature-created'],
  }),
];
