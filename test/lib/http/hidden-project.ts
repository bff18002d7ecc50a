import { vi } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { type Endpoint, isOfSdks } from '../../../lib/http/declaration.ts';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { configureChangeRequests } from '../../../lib/projects/change-request-config.ts';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { readExample } from '../../specifications/generated/openapi-example.ts';

/** Everything that is secret has one of these in its name or its content. */
export const [project, feature, archived, secret] = [
  'hush-project',
  'hush-feature',
  'hush-archived',
  'hush-words',
] as const;

/** A service with a private project, and everything that may name it or what is in it. */
export interface Planted {
  readonly service: Service;
  readonly world: World;
  readonly segment: number;
  /** A segment that features of the project use, among others. */
  readonly shared: number;
  readonly addon: number;
  /** Values that paths are tried with, by the name of the variable; they name things of the project, or that know of it. */
  readonly values: Readonly<Record<string, readonly (string | number)[]>>;
}

/** Makes all of it. */
export async function plant(): Promise<Planted> {
  const service = await freshService();
  const world = new World(service);
  await world.ask('POST', '/api/admin/projects', { id: project, name: secret, mode: 'private' });
  const strategies = [
    { name: 'default', constraints: [{ contextName: 'hush-field', operator: 'IN', values: [secret] }] },
  ];
  const path = `/api/admin/projects/${project}`;
  await world.ask('POST', `${path}/features`, { name: feature, description: secret });
  await world.ask('POST', `${path}/features/${feature}/environments/development/strategies`, strategies[0]);
  await world.ask('POST', `${path}/features/${feature}/environments/development/on`);
  await world.ask('POST', `${path}/features`, { name: archived, description: secret });
  await world.ask('DELETE', `${path}/features/${archived}`);
  await world.ask('POST', `${path}/context`, { name: 'hush-field', description: secret });
  const segment = (await world.segment({ name: secret, project })).id;
  await world.ask('POST', `${path}/features/${feature}/environments/development/strategies`, {
    name: 'default',
    segments: [segment],
  });
  await world.user({ inProject: { project, role: 'Owner' } });
  const group = await world.groupId({ users: [{ user: { id: 1 } }] });
  await world.ask('PUT', `${path}/groups/${group}/roles`, { roles: [5] });
  await world.ask('PUT', `/api/admin/projects/default/groups/${group}/roles`, { roles: [5] });
  const addon = (await world.ask('POST', '/api/admin/addons', addonOfBoth)).body.id;
  const { shared, left, ...values } = await plantRelations(world);
  const ids = [1, 2, 3, 4, 5, segment, shared, left, addon, group];
  untilNoticed();
  return {
    ...{ service, world, segment, shared, addon },
    values: { ...values, id: ids, groupId: [group], userId: [1, 2, 3], tokenId: [1], streamId: ['0'.repeat(64)] },
  };
}

/** Makes all else that may name the project or what is in it, and what is used with it elsewhere. */
async function plantRelations(world: World) {
  const path = `/api/admin/projects/${project}`;
  const inDevelopment = `${path}/features/${feature}/environments/development`;
  const shared = await world.segment();
  const field = await world.contextField();
  const role = await world.role({ permissions: [{ name: 'UPDATE_FEATURE' }] });
  const member = await world.user();
  await world.ask('PUT', `${path}/users/${member.id}/roles`, { roles: [role] });
  const { id: strategyId } = (
    await world.ask('POST', `${inDevelopment}/strategies`, {
      name: 'default',
      title: secret,
      segments: [shared.id],
      constraints: [{ contextName: field, operator: 'IN', values: [secret] }],
    })
  ).body;
  await world.ask('PUT', `${inDevelopment}/variants`, [{ name: 'hush-variant', weight: 1000, weightType: 'variable' }]);
  await world.ask('POST', `/api/admin/features/${feature}/tags`, { type: 'simple', value: 'hush-tag' });
  await world.ask('POST', `${path}/features/${feature}/link`, { url: 'https://hush.example.com', title: secret });
  await world.ask('POST', `${path}/environments/development/default-strategy`, {
    name: 'flexibleRollout',
    title: secret,
  });
  await world.ask('POST', `${path}/features/${feature}/favorites`);
  await world.ask('POST', `${path}/favorites`);
  for (const name of ['hush-child', 'hush-gone', 'hush-buried', 'reborn'])
    await world.ask('POST', `${path}/features`, { name });
  await world.ask('POST', `${path}/features/hush-child/dependencies`, { feature });
  await world.ask('POST', '/api/admin/projects/default/features', { name: 'open' });
  const inOpen = '/api/admin/projects/default/features/open/environments/development/strategies';
  for (const name of [feature, 'open']) {
    await world.ask('POST', `/api/admin/features/${name}/tags`, { type: 'simple', value: 'both-tag' });
  }
  const open = (await world.ask('POST', inOpen, { name: 'default', segments: [shared.id] })).body.id;
  await reportAs(world, 'hush-app', [project]);
  await reportAs(world, 'both-app', [project]);
  await reportAs(world, 'both-app', ['default']);
  await bury(world, 'hush-buried');
  await reportAs(world, 'all-app', ['*'], [feature, archived, 'hush-buried', 'hush-later', 'unknown']);
  await flushUsage(world.service.table);
  await world.ask('POST', `${path}/features`, { name: 'hush-later' });
  for (const name of ['hush-gone', 'reborn']) await bury(world, name);
  await reportAs(world, 'both-app', [project]);
  await flushUsage(world.service.table);
  await world.ask('POST', '/api/admin/projects/default/features', { name: 'reborn' });
  const templates = [
    await template(world, { name: 'hush-template', project }, [shared.id]),
    await template(world, { name: 'open template' }, [shared.id]),
  ];
  const chart = await world.ask('POST', `${path}/features/${feature}/impact-metrics/config`, {
    ...{ metricName: 'orders', timeRange: 'day', aggregationMode: 'sum', labelSelectors: {}, yAxisMin: 'zero' },
    title: secret,
  });
  const plan = (await world.ask('POST', `${inDevelopment}/release-plans`, { templateId: templates[0]?.id }))
    .body as Template;
  const milestones = [...templates, plan].map((created) => created.milestones[0]);
  const left = await leave(world);
  const { changeId } = await ask(world);
  const features = [feature, archived, 'hush-child', 'hush-gone', 'hush-buried', 'reborn', 'open', left.feature];
  return {
    shared: shared.id,
    left: left.segment,
    projectId: [project, 'default'],
    featureName: features,
    parent: features,
    key: features,
    linkId: ['00000000-0000-4000-8000-000000000001'],
    legalValue: ['gold'],
    name: [...features, 'development', 'simple', 'default'],
    environment: ['development'],
    strategyId: [strategyId, open, ...milestones.map(({ strategies: [{ id }] }) => id)],
    contextField: ['hush-field', field],
    token: ['hush-token-of-hush-app', 'hush-token-of-both-app', await world.invitation()],
    appName: ['hush-app', 'both-app', 'all-app'],
    type: ['simple'],
    value: ['hush-tag', 'both-tag'],
    changeId: [changeId],
    templateId: templates.map(({ id }) => id),
    milestoneId: milestones.map(({ id }) => id),
    chartId: [chart.body.id],
    planId: [plan.id],
    progressionId: [plan.id, plan.milestones[0].id],
  };
}

/** Creates a template of release plans that uses segments, with one milestone of one strategy. */
async function template(world: World, content: object, segments: readonly number[]): Promise<Template> {
  const milestones = [{ name: 'project' in content ? secret : 'All', strategies: [{ name: 'default', segments }] }];
  return (await world.ask('POST', '/api/admin/release-plan-templates', { ...content, milestones })).body;
}

interface Template {
  readonly id: string;
  readonly milestones: readonly [{ readonly id: string; readonly strategies: readonly [{ readonly id: string }] }];
}

/** Asks for changes in the project, of which one is under review. */
async function ask(world: World): Promise<{ readonly changeId: number }> {
  const inProject = `/api/admin/projects/${project}`;
  const place = { projectId: project, environment: 'development' };
  await configureChangeRequests(world.service.table, systemUser, place, { changeRequestsEnabled: true });
  const { body } = await world.ask('POST', `${inProject}/environments/development/change-requests`, {
    ...{ feature, action: 'addStrategy', payload: { name: 'default', title: secret } },
  });
  await world.ask('PUT', `${inProject}/change-requests/${body.id}/title`, { title: secret });
  await world.ask('PUT', `${inProject}/change-requests/${body.id}/state`, { state: 'In review', comment: secret });
  return { changeId: body.features[0].changes[0].id };
}

/** Lets a feature and a segment leave the project for where everybody sees them. */
async function leave(world: World): Promise<{ readonly feature: string; readonly segment: number }> {
  const path = `/api/admin/projects/${project}/features`;
  await world.ask('POST', path, { name: 'left', description: secret });
  await world.ask('PUT', `${path}/left`, { description: 'open' });
  await world.ask('POST', `${path}/left/changeProject`, { newProjectId: 'default' });
  const content = { name: 'left', constraints: [] };
  const { id } = await world.segment({ ...content, project, description: secret });
  await world.ask('PUT', `/api/admin/segments/${id}`, { ...content, description: '', project: null });
  return { feature: 'left', segment: id };
}

/** Deletes a feature of the project. */
async function bury(world: World, name: string): Promise<void> {
  await world.ask('DELETE', `/api/admin/projects/${project}/features/${name}`);
  await world.ask('DELETE', `/api/admin/archive/${name}`);
}

/**
 * Reports as an application does that uses features of the projects, and of which the metrics say what is secret there.
 * @param names the features that it uses, by default those of the projects.
 */
async function reportAs(
  world: World,
  appName: string,
  projects: readonly string[],
  names?: readonly string[],
): Promise<void> {
  const isSecret = projects.includes(project);
  const known = isSecret ? [feature, 'hush-gone', 'reborn', 'hush-unknown'] : ['open', 'unknown'];
  const name = isSecret ? 'hush-token' : 'token';
  const tokenName = `${name}-of-${appName}`;
  const wanted = { tokenName, type: 'client', environment: 'development', projects };
  const token = (await world.ask('POST', '/api/admin/api-tokens', wanted)).body.secret;
  const at = new Date().toISOString();
  const used = Object.fromEntries(
    (names ?? known).map((each) => [each, { yes: 1, no: 0, variants: isSecret ? { 'hush-variant': 1 } : {} }]),
  );
  const sdkVersion = 'unleash-client-node:5.0.0';
  const words = isSecret ? 'hush' : 'open';
  const instanceId = `${words}-instance`;
  const reports: [path: string, body: object][] = [
    ['register', { appName, instanceId, sdkVersion, strategies: ['default'], started: at, interval: 1 }],
    ['metrics', { appName, instanceId, bucket: { start: at, stop: at, toggles: used } }],
    ['metrics/custom', { metrics: [{ name: `${words}_metric`, value: 1, labels: { [`${words}_label`]: words } }] }],
  ];
  for (const [path, body] of reports) {
    await world.ask('POST', `/api/client/${path}`, body, { authorization: token });
  }
}

/** Lets the time pass in which a process may trust what it knows of rights. */
export function untilNoticed(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs });
}

export const addonOfBoth = {
  provider: 'webhook',
  enabled: true,
  parameters: { url: 'https://chat.example.com/hook' },
  events: ['feature-created'],
  projects: [project, 'default'],
};

/** An operation, as it is declared. */
export type Operation = Endpoint['declaration'] & { readonly operationId: string };

const all = Object.entries(registry as Record<string, Endpoint>).map(
  ([operationId, { declaration }]): Operation => ({ operationId, ...declaration }),
);
/** The operations that people and programs with rights of their own use. */
export const operations = all.filter((each) => each.audience !== 'public' && !isOfSdks(each));
/** The operations of SDKs. */
export const operationsOfSdks = all.filter(isOfSdks);

/** Bodies of the requests that need one. */
const questions: Readonly<Record<string, object>> = {
  getPlayground: { environment: 'development', projects: '*', context: { appName: 'x' } },
  getAdvancedPlayground: { environments: ['development'], projects: '*', context: { appName: 'x' } },
  getChangeRequestPlayground: { context: { appName: 'x' } },
  exportFeatures: { environment: 'development', tag: 'hush-tag' },
};

/**
 * The path with the first value for each of its variables, and with each other value of one of them; in the other
 * project, too, where that is one of them: the private one lets nobody further than its own id.
 */
function filled(path: string, values: Planted['values']): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const first = Object.fromEntries(names.map((name) => [name, values[name]?.[0]]));
  const open = 'projectId' in first ? { ...first, projectId: 'default' } : first;
  const ways = names.flatMap((name) => values[name]?.slice(1).map((value) => ({ ...open, [name]: value })) ?? []);
  const targets = [first, open, ...ways].map((way: Readonly<Record<string, string | number | undefined>>) =>
    path.replaceAll(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(String(way[name]))),
  );
  return [...new Set(targets)];
}

/** Returns the values of a path that none of the requests would be made with. */
export function unfilled({ values }: Planted, asked: readonly Operation[]): string[] {
  const names = asked.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => values[name] === undefined);
}

/** Returns the bodies that an operation is tried with; none for one that it is not tried with at all. */
export type BodiesOf = (operation: Operation) => readonly (string | undefined)[];

/** Reads: requests without a body, and questions that have one. */
const reads: BodiesOf = ({ operationId, method }) => {
  const body = questions[operationId];
  if (body !== undefined) return [JSON.stringify(body)];
  return method === 'GET' ? [undefined] : [];
};

/** Collects the secrets of the project in replies, by operation; those that were sent do not count. */
export async function secretsFor(
  { service, values }: Planted,
  token: string,
  asked: readonly Operation[] = operations,
  bodiesOf: BodiesOf = reads,
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const operation of asked) {
    const secrets = new Set<string>();
    for (const body of bodiesOf(operation)) {
      for (const target of filled(operation.path, values)) {
        const { text } = await service.call(operation.method, target, { token, ...(body !== undefined && { body }) });
        const sent = findSecrets(`${decodeURIComponent(target)} ${body}`);
        for (const word of findSecrets(text).difference(sent)) secrets.add(word);
      }
    }
    if (secrets.size > 0) found.set(operation.operationId, secrets);
  }
  return found;
}

/** Returns the replies to all reads, with their tags, by the request; without what is another in each reply. */
export async function repliesTo({ service, values }: Planted, token: string): Promise<Map<string, string>> {
  const replies = new Map<string, string>();
  for (const operation of [...operations, ...operationsOfSdks]) {
    for (const body of reads(operation)) {
      for (const target of filled(operation.path, values)) {
        const asked = { token, ...(body !== undefined && { body }) };
        const { status, headers, text } = await service.call(operation.method, target, asked);
        // Statistics say when they were counted.
        const plain = text.replace(status < 300 ? new Date().toISOString() : /"id":"[^"]*"/, '');
        const tag = plain === text ? headers.etag : '';
        replies.set(`${operation.method} ${target} ${body ?? ''}`, `${status} ${tag} ${plain}`);
      }
    }
  }
  return replies;
}

/** Changes in the private project whatever others may count, list or be told of, and makes another one. */
export async function stir({ world, shared, values }: Planted): Promise<void> {
  const path = `/api/admin/projects/${project}`;
  const environment = 'environments/development';
  await world.ask('POST', `${path}/features`, { name: 'hush-stirred', type: 'kill-switch' });
  const constraints = [{ contextName: values.contextField?.[1], operator: 'IN', values: [secret] }];
  const strategy = { name: 'default', segments: [shared], constraints };
  await world.ask('POST', `${path}/features/hush-stirred/${environment}/strategies`, strategy);
  await world.ask('POST', `${path}/features/hush-stirred/${environment}/on`);
  await world.ask('POST', '/api/admin/features/hush-stirred/tags', { type: 'simple', value: 'both-tag' });
  await world.ask('POST', `${path}/features/${feature}/favorites`);
  await world.ask('POST', `${path}/stale`, { features: [feature], stale: true });
  await world.ask('POST', `${path}/features/hush-stirred/dependencies`, { feature });
  await world.ask('DELETE', `${path}/features/hush-stirred`);
  await world.ask('POST', `${path}/features`, { name: 'hush-on' });
  await world.ask('POST', `${path}/features/hush-on/${environment}/on`);
  await world.ask('POST', '/api/admin/features/hush-on/tags', { type: 'simple', value: 'both-tag' });
  await world.ask('POST', `${path}/context`, { name: 'hush-stirred' });
  await world.segment({ name: 'hush-stirred', project });
  await template(world, { name: 'hush-stirred', project }, [shared]);
  await world.ask('POST', '/api/admin/addons', { ...addonOfBoth, projects: [project] });
  await reportAs(world, 'hush-stirred', [project]);
  await flushUsage(world.service.table);
  await world.ask('POST', '/api/admin/projects', { id: 'hush-other', name: secret, mode: 'private' });
  await world.ask('PUT', `/api/admin/projects/hush-other/users/1/roles`, { roles: [4] });
  await world.ask('POST', '/api/admin/projects/hush-other/api-tokens', { tokenName: 'hush', type: 'client' });
  untilNoticed();
}

function findSecrets(text: string): Set<string> {
  return new Set([...text.matchAll(/hush[\w-]*/g)].map(([word]) => word));
}

/** The body of the operation's example. */
export function exampleBody(operationId: string): string | undefined {
  const { body } = readExample(operationId);
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}
