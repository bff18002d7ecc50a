import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectRoles } from '../../../lib/identity/permissions.ts';
import type { Service } from '../../harness/service.ts';
import type { World } from '../../harness/world.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import {
  addonOfBoth,
  archived,
  exampleBody,
  feature,
  type Operation,
  operations,
  operationsOfSdks,
  type Planted,
  plant,
  project,
  repliesTo,
  secret,
  secretsFor,
  stir,
  unfilled,
  untilNoticed,
} from './hidden-project.ts';

let planted: Planted;
let service: Service;
let world: World;
let segment: number;
let addon: number;
beforeAll(async () => {
  // No hour, of which usage is shown, ends meanwhile.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setMinutes(30) });
  planted = await plant();
  ({ service, world, segment, addon } = planted);
});
afterAll(() => void vi.useRealTimers());

/** Callers who do not belong to the project, with all rights that one without rights in all projects may have. */
const strangers = {
  'a Viewer': () => world.token(),
  'a Member of another project': () => world.token({ inProject: { project: 'default', role: 'Member' } }),
  'a service account': async () => (await world.serviceAccountToken((await world.serviceAccount()).id)).secret,
  'the holder of a personal token': async () => {
    const user = await world.user({ inProject: { project: 'default', role: 'Owner' } });
    return (await world.pat(user)).secret;
  },
  'an Owner of another project with a root role of the team': async () =>
    world.tokenOfRole(
      await world.role({
        type: 'root-custom',
        permissions: [
          ...['READ_ROLE', 'CREATE_PROJECT', 'READ_LOGS', 'UPDATE_SEGMENT', 'UPDATE_APPLICATION', 'UPDATE_ADDON'],
          ...['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'],
        ].map((name) => ({ name })),
      }),
      [{ project: 'default', roles: [projectRoles.Owner] }],
    ),
} satisfies Record<string, () => Promise<string>>;

/**
 * Lists the requests that are answered otherwise about the private project than about one that does not exist: reads,
 * changes by a valid body, and changes by an invalid one. All are refused, or show that there are no features.
 */
async function differencesFor(token: string): Promise<string[]> {
  const all = operations.filter((each) => each.path.includes('{projectId}'));
  const found = all.flatMap(({ operationId, method, path, body: schema }) => {
    const bodies = schema === undefined ? [undefined] : [exampleBody(operationId), '"text"', '{'];
    return bodies.map(async (body) => {
      const answers = [project, 'lost-project'].map(async (id) => {
        const target = path.replace('{projectId}', id).replace('{featureName}', feature);
        const options = { token, ...(body !== undefined && { body }) };
        // Ids are numbers; what is no number would be refused before the project is looked at.
        const filled = target.replaceAll(/\{(?:id|changeId)\}/g, '1').replaceAll(/\{\w+\}/g, 'development');
        const reply = await service.call(method, filled, options);
        if (reply.status === 200) return reply.text;
        return `${reply.status} ${reply.body?.message} ${JSON.stringify(reply.body?.details)}`.replaceAll(id, '…');
      });
      const [here, lost] = await Promise.all(answers);
      return here === lost && /^40[034]|^\{"version":2,"features":\[\]\}$/.test(`${here}`)
        ? []
        : [`${operationId} ${body}: ${here} / ${lost}`];
    });
  });
  return (await Promise.all(found)).flat();
}

test('Every path is tried', () => {
  expect(unfilled(planted, [...operations, ...operationsOfSdks])).toEqual([]);
});

// The others have the rights of one of these, and their own way to them, which all tests below take.
test.each(['a Viewer', 'an Owner of another project with a root role of the team'] as const)(
  '%s finds nothing of a private project in any reply',
  async (who) => {
    const token = await strangers[who]();
    expect(await secretsFor(planted, token, [...operations, ...operationsOfSdks])).toEqual(new Map());
  },
);

// One with more rights than the others stands below.
test('A Viewer gets the same answer for every path into a private project as for one that does not exist', async () => {
  expect(await differencesFor(await world.token())).toEqual([]);
});

describe.each(Object.entries(strangers))('%s', (_who, tokenOf) => {
  test('sees what is used and reported in another project', async () => {
    const token = await tokenOf();
    const read = async (path: string) => (await service.get(`/api/admin/${path}`, { token })).body;
    const usage = await read('client-metrics/features/open');
    expect([usage.lastHourUsage[0].yes, usage.seenApplications]).toEqual([1, ['both-app']]);
    expect((await read('custom-metrics')).metricNames).toEqual(['open_metric']);
    expect((await read('metrics/unknown-flags')).unknownFlags).toMatchObject([{ name: 'unknown' }]);
    expect(await read('metrics/applications/both-app/overview')).toMatchObject({
      projects: ['default'],
      featureCount: 2,
      environments: [{ issues: { missingFeatures: ['unknown'] } }],
    });
    expect((await read('tags/simple')).tags).toMatchObject([{ value: 'both-tag' }]);
  });

  test('gets the same answers for its features, segments and context fields as for ones that do not exist', async () => {
    const token = await tokenOf();
    const pairs: [secret: string, missing: string][] = [
      [`/api/admin/events/${feature}`, '/api/admin/events/lost'],
      [`/api/admin/features/${feature}/tags`, '/api/admin/features/lost/tags'],
      [`/api/admin/client-metrics/features/${feature}`, '/api/admin/client-metrics/features/lost'],
      [`/api/admin/client-metrics/features/${feature}/raw`, '/api/admin/client-metrics/features/lost/raw'],
      [`/api/admin/segments/${segment}`, '/api/admin/segments/999'],
      [`/api/admin/segments/${segment}/strategies`, '/api/admin/segments/999/strategies'],
      ['/api/admin/context/hush-field', '/api/admin/context/lost'],
      [`/api/admin/search/features?project=IS:${project}`, '/api/admin/search/features?project=IS:lost'],
      [`/api/admin/search/events?feature=IS:${feature}`, '/api/admin/search/events?feature=IS:lost'],
      [`/api/admin/search/events?project=IS:${project}`, '/api/admin/search/events?project=IS:lost'],
    ];
    for (const [known, missing] of pairs) {
      const [here, there] = [await service.get(known, { token }), await service.get(missing, { token })];
      const plain = (text: string) =>
        text
          .replaceAll(/"id":"[^"]*"|"timestamp":"[^"]*"/g, '')
          .replaceAll(
            new RegExp(`${feature}|hush-field|lost|"${segment}"|\\\\"${segment}\\\\"|\\\\"999\\\\"`, 'g'),
            '…',
          );
      expect([here.status, plain(here.text)], known).toEqual([there.status, plain(there.text)]);
    }
    const environments = ['development'];
    const evaluated = await service.post(
      '/api/admin/playground/advanced',
      { environments, projects: [project], context: { appName: 'x' } },
      { token },
    );
    expect(evaluated.body.features).toEqual([]);
    const exported = { environment: 'development', features: [feature] };
    expect((await service.post('/api/admin/features-batch/export', exported, { token })).status).toBe(404);
  });

  test('is refused what changes a feature of it by its name alone as for one that does not exist', async () => {
    const token = await tokenOf();
    const changes: [method: string, pathOf: (name: string) => string, body?: object][] = [
      ['POST', (name) => `/api/admin/archive/revive/${name}`],
      ['DELETE', (name) => `/api/admin/archive/${name}`],
      ['POST', (name) => `/api/admin/features/${name}/tags`, { type: 'simple', value: 'checked' }],
      ['PUT', (name) => `/api/admin/features/${name}/tags`, { addedTags: [], removedTags: [] }],
      ['DELETE', (name) => `/api/admin/features/${name}/tags/simple/checked`],
    ];
    for (const [method, pathOf, body] of changes) {
      for (const name of [feature, archived]) {
        const [here, there] = await Promise.all(
          [name, 'lost'].map((each) => service.call(method, pathOf(each), { token, ...(body && { body }) })),
        );
        expect(there?.status, pathOf(name)).toBe(403);
        expect([here?.status, here?.body.message], pathOf(name)).toEqual([403, there?.body.message]);
      }
    }
  });
});

describe('Somebody who administers all but the project itself', () => {
  const permissions = [
    ...['CREATE', 'UPDATE', 'DELETE', 'READ'].flatMap((verb) => [
      `${verb}_CLIENT_API_TOKEN`,
      `${verb}_FRONTEND_API_TOKEN`,
    ]),
    ...['CREATE', 'UPDATE', 'DELETE'].flatMap((verb) => [`${verb}_SEGMENT`, `${verb}_CONTEXT_FIELD`]),
    ...['CREATE_PROJECT', 'READ_ROLE', 'UPDATE_APPLICATION', 'UPDATE_ADDON'],
  ];
  let token: string;
  let shared: number;
  let parent: string;
  beforeAll(async () => {
    const role = await world.role({ type: 'root-custom', permissions: permissions.map((name) => ({ name })) });
    token = await world.tokenOfRole(role, [{ project: 'default', roles: [4] }]);
    shared = (await world.segment()).id;
    parent = 'hush-parent';
    const path = `/api/admin/projects/${project}/features`;
    await world.ask('POST', path, { name: parent });
    await world.ask('POST', `${path}/${parent}/environments/development/strategies`, {
      name: 'default',
      segments: [shared],
    });
  });

  const ask = (method: string, path: string, body?: object) =>
    service.call(method, path, { token, ...(body !== undefined && { body }) });

  test('gets the same answer for every path into it as for one that does not exist', async () => {
    expect(await differencesFor(token)).toEqual([]);
  });

  test('makes, prolongs and deletes no token that reads it', async () => {
    const wanted = { tokenName: 'mine', type: 'client', environment: 'development' };
    const making = (projects: string[]) => ask('POST', '/api/admin/api-tokens', { ...wanted, projects });
    const [refused, unknown] = [await making([project]), await making(['lost'])];
    expect([refused.status, refused.body.message]).toEqual([404, unknown.body.message.replace('lost', project)]);
    expect((await making(['*'])).status).toBe(403);
    expect((await making(['default'])).status).toBe(201);

    const made = async (projects: string[]) =>
      (await world.ask('POST', '/api/admin/api-tokens', { ...wanted, projects })).body.secret;
    const path = (secret: string) => `/api/admin/api-tokens/${secret}`;
    const change = { expiresAt: '2099-01-01T00:00:00.000Z' };
    const [own, both, all] = [await made([project]), await made([project, 'default']), await made(['*'])];
    expect((await ask('PUT', path(own), change)).status).toBe(404);
    expect((await ask('DELETE', path(own))).status).toBe(404);
    for (const secret of [both, all]) expect((await ask('PUT', path(secret), change)).status).toBe(403);
    expect((await ask('DELETE', path(all))).status).toBe(403);
    const deleting = await ask('DELETE', path(both));
    expect(deleting.status).toBe(403);
    const ofProject = await ask('DELETE', `/api/admin/projects/default/api-tokens/${both}`);
    expect(ofProject.status).toBe(400);
    const lists = [
      await ask('GET', '/api/admin/api-tokens'),
      await ask('GET', '/api/admin/projects/default/api-tokens'),
    ];
    expect([deleting, ofProject, ...lists].map(({ text }) => text).join()).not.toContain('hush');
    for (const { body } of lists) {
      const shown = body.tokens.find(({ secret }: { secret: string }) => secret.startsWith(`[]:development`));
      expect(shown?.projects).toEqual(['default']);
    }
  });

  test('creates, changes and deletes none of its segments and context fields', async () => {
    const pairs: [method: string, secret: string, missing: string, body?: object][] = [
      ['POST', '/api/admin/segments', '/api/admin/segments', { name: 'new', constraints: [], project }],
      ['PUT', `/api/admin/segments/${segment}`, '/api/admin/segments/999', { name: 'other', constraints: [] }],
      ['DELETE', `/api/admin/segments/${segment}`, '/api/admin/segments/999'],
      ['POST', '/api/admin/context', '/api/admin/context', { name: 'new-field', project }],
      ['PUT', '/api/admin/context/hush-field', '/api/admin/context/lost', { description: 'x' }],
      ['DELETE', '/api/admin/context/hush-field', '/api/admin/context/lost'],
      ['POST', '/api/admin/context/hush-field/legal-values', '/api/admin/context/lost/legal-values', { value: 'x' }],
      ['DELETE', '/api/admin/context/hush-field/legal-values/x', '/api/admin/context/lost/legal-values/x'],
    ];
    for (const [method, known, missing, body] of pairs) {
      const lost = body && 'project' in body ? { ...body, project: 'lost-project' } : body;
      const [here, there] = [await ask(method, known, body), await ask(method, missing, lost)];
      const plain = ({ message }: { message: string }) => message.replaceAll(/"[^"]*"/g, '…');
      expect([method, known, here.status, plain(here.body)]).toEqual([method, known, 404, plain(there.body)]);
    }
  });

  test('gets 404 for it before all else that the state of the store says, as for one that does not exist', async () => {
    const other = (await world.segment()).id;
    const field = await world.contextField();
    const requests: [method: string, path: (project: string) => string, body: (project: string) => object][] = [
      ['POST', (id) => `/api/admin/projects/${id}/context/validate`, () => ({ name: field })],
      ['POST', (id) => `/api/admin/projects/${id}/context`, () => ({ name: field })],
      ['POST', () => '/api/admin/context', (id) => ({ name: field, project: id })],
      ['PUT', () => `/api/admin/context/${field}`, (id) => ({ description: 'x', project: id })],
      ['PUT', () => '/api/admin/context/lost', (id) => ({ description: 'x', project: id })],
      ['POST', () => '/api/admin/segments', (id) => ({ name: 'new', constraints: [], project: id })],
      ['PUT', () => `/api/admin/segments/${other}`, (id) => ({ name: 'new', constraints: [], project: id })],
      ['PUT', () => '/api/admin/segments/999', (id) => ({ name: 'new', constraints: [], project: id })],
    ];
    for (const [method, path, body] of requests) {
      for (const headers of [{}, { 'if-match': '"7"' }]) {
        const [here, there] = await Promise.all(
          [project, 'lost-project'].map(async (id) => {
            const reply = await service.call(method, path(id), { token, body: body(id), headers });
            return `${reply.status} ${reply.body.message}`.replaceAll(id, '…');
          }),
        );
        expect([method, path('…'), headers, here]).toEqual([method, path('…'), headers, there]);
        expect(here).toMatch(/^404/);
      }
    }
  });

  test('waits as long to hear that it does not exist as for one that does not', async () => {
    const waitsFor = async (id: string) => {
      const body = { name: 'new-field', project: id };
      const { log } = await linesWrittenBy(() => ask('POST', '/api/admin/context', body));
      return [log.at(-1)?.status, log.at(-1)?.storeWaits];
    };
    await waitsFor(project);
    expect(await waitsFor(project)).toEqual(await waitsFor('lost-project'));
  });

  test('learns of none of its features by what others use, depend on or import', async () => {
    const own = await world.feature({ project: 'default' });
    const features = '/api/admin/projects/default/features';
    const creator = await world.tokenOfRole(
      await world.role({ type: 'root-custom', permissions: [{ name: 'CREATE_CONTEXT_FIELD' }] }),
      [{ project: 'default', roles: [projectRoles.Owner] }],
    );
    const usage = await ask('GET', `/api/admin/segments/${shared}/strategies`);
    expect(usage.body.strategies).toEqual([]);
    const inUse = await ask('DELETE', `/api/admin/segments/${shared}`);
    const narrowed = { name: 'narrow', constraints: [], project: 'default' };
    const inUseElsewhere = await ask('PUT', `/api/admin/segments/${shared}`, narrowed);
    expect([inUse.status, inUseElsewhere.status]).toEqual([409, 409]);
    const into = async (id: string) => {
      const { status, body } = await ask('PUT', `/api/admin/segments/${shared}`, { ...narrowed, project: id });
      return [status, body.message.replace(id, '…')];
    };
    expect(await into(project)).toEqual(await into('lost-project'));
    const depending = (feature: string) => ask('POST', `${features}/${own.name}/dependencies`, { feature });
    const deleting = (feature: string) => ask('POST', '/api/admin/projects/default/delete', { features: [feature] });
    expect((await deleting('hush-gone')).status).toBe((await deleting('lost-feature')).status);
    const strategy = (id: number) =>
      ask('POST', `${features}/${own.name}/environments/development/strategies`, { name: 'default', segments: [id] });
    expect((await depending(parent)).status).toBe((await depending('lost-parent')).status);
    expect((await strategy(segment)).status).toBe((await strategy(999)).status);
    await world.ask('POST', `/api/admin/projects/${project}/context`, {
      name: 'hush-plan',
      legalValues: [{ value: 'gold' }],
    });
    const comparing = async (contextName: string) => {
      const path = `${features}/${own.name}/environments/development/strategies`;
      const constraints = [{ contextName, operator: 'IN', values: ['tin'] }];
      const { id: strategyId } = (await ask('POST', path, { name: 'default' })).body;
      const featureStrategies = [{ name: 'default', featureName: own.name, constraints }];
      const parts = { features: [{ name: own.name }], featureStrategies, featureEnvironments: [], segments: [] };
      const file = {
        project: 'default',
        environment: 'development',
        data: { ...parts, contextFields: [], tagTypes: [] },
      };
      const changes = [
        await ask('POST', path, { name: 'default', constraints }),
        await ask('PUT', `${path}/${strategyId}`, { name: 'default', constraints }),
        await ask('POST', '/api/admin/features-batch/import', file),
      ];
      return changes.map(({ status }) => status);
    };
    expect(await comparing('hush-plan')).toEqual(await comparing('lost-plan'));
    const bringing = async (value: string) => {
      const contextFields = [{ name: 'hush-plan', legalValues: [{ value }] }];
      const parts = { features: [], featureStrategies: [], featureEnvironments: [], segments: [], tagTypes: [] };
      const file = { project: 'default', environment: 'development', data: { ...parts, contextFields } };
      const { status, body } = await service.post('/api/admin/features-batch/import', file, { token: creator });
      return [status, body.message];
    };
    expect(await bringing('gold')).toEqual([400, expect.stringMatching(/"hush-plan" exists in another project\.$/)]);
    expect(await bringing('tin')).toEqual(await bringing('gold'));
    const data = { features: [{ name: feature }], featureStrategies: [], featureEnvironments: [], segments: [] };
    const file = { project: 'default', environment: 'development', data: { ...data, contextFields: [], tagTypes: [] } };
    const imported = await ask('POST', '/api/admin/features-batch/import', file);
    expect(imported.status).toBe(400);
    const answers = [inUse, inUseElsewhere, imported].map(({ text }) => text.replaceAll(feature, '…')).join();
    expect(answers).not.toContain('hush');
  });

  test('imports a file that names its features and segments as one that names none', async () => {
    const own = await world.feature({ project: 'default' });
    const parts = { featureStrategies: [], featureEnvironments: [], contextFields: [], tagTypes: [] };
    const naming = async (on: string, used: string) => {
      const dependencies = [{ feature: own.name, dependencies: [{ feature: on, enabled: true }] }];
      const data = { ...parts, features: [{ name: own.name }], segments: [{ id: 1, name: used }], dependencies };
      const file = { project: 'default', environment: 'development', data };
      const { status, body } = await ask('POST', '/api/admin/features-batch/import', file);
      return [status, JSON.stringify(body.details).replaceAll(on, 'parent').replaceAll(used, 'segment')];
    };
    expect(await naming('lost-parent', 'lost-segment')).toEqual([400, expect.stringContaining('parent')]);
    expect(await naming(parent, secret)).toEqual(await naming('lost-parent', 'lost-segment'));
  });

  test('deletes no context field that only a segment of it compares, and does not learn which one', async () => {
    const field = await world.contextField();
    const constraints = [{ contextName: field, operator: 'IN', values: ['x'] }];
    await world.segment({ name: 'hush-comparing', project, constraints });
    const { status, body, text } = await ask('DELETE', `/api/admin/context/${field}`);
    expect([status, body.name]).toEqual([409, 'InUseError']);
    expect(text).not.toContain('hush');
  });

  test('is refused names that things of it have, and uses a tag of it as one that is there already', async () => {
    const own = await world.feature({ project: 'default' });
    const features = '/api/admin/projects/default/features';
    const taken: [path: string, body: object][] = [
      [features, { name: feature }],
      [`${features}/${own.name}/clone`, { name: archived }],
      ['/api/admin/features/validate', { name: feature }],
      ['/api/admin/segments/validate', { name: secret }],
      ['/api/admin/projects', { id: project, name: 'Mine' }],
    ];
    for (const [path, body] of taken) expect([path, (await ask('POST', path, body)).status]).toEqual([path, 409]);
    const tag = { type: 'simple', value: 'hush-label' };
    await world.ask('POST', `/api/admin/features/${feature}/tags`, tag);
    const statusOf = async (value: string) => (await ask('GET', `/api/admin/tags/simple/${value}`)).status;
    expect(await statusOf(tag.value)).toBe(404);
    expect((await ask('POST', `/api/admin/features/${own.name}/tags`, tag)).status).toBe(201);
    expect(await statusOf(tag.value)).toBe(200);
  });

  test('is answered by all reads as before, whatever happens in it and in others that they must not see', async () => {
    await service.get('/api/admin/user', { token });
    untilNoticed();
    // Usage is counted by the hour, and none may begin meanwhile.
    if (new Date().getMinutes() === 59) vi.setSystemTime(Date.now() + 60_000);
    const before = await repliesTo(planted, token);
    await stir(planted);
    const after = await repliesTo(planted, token);
    const other = [...before.keys()].filter((asked) => before.get(asked) !== after.get(asked));
    expect(other.map((asked) => [asked, before.get(asked), after.get(asked)])).toEqual([]);
  });

  test('is told of no event there of a feature that has left it, by a page or by their number', async () => {
    const path = '/api/admin/events/left';
    const { events, totalEvents } = (await ask('GET', path)).body;
    expect([events.map(({ type }: { type: string }) => type), totalEvents]).toEqual([['feature-project-change'], 1]);
    expect((await ask('GET', `${path}?limit=1`)).body).toMatchObject({ events, totalEvents });
    expect((await ask('GET', `${path}?before=${events[0].id}`)).body).toMatchObject({ events: [], totalEvents });
    expect((await service.get(path)).body.totalEvents).toBeGreaterThan(totalEvents);
  });

  test('updates an addon without seeing or losing that it is for the project, too', async () => {
    const path = `/api/admin/addons/${addon}`;
    const projectsAfter = async (projects: string[]) => {
      const updated = await ask('PUT', path, { ...addonOfBoth, projects });
      expect(updated.status).toBe(200);
      expect(updated.text).not.toContain('hush');
      return (await service.get(path)).body.projects.toSorted();
    };
    expect((await ask('GET', path)).body.projects).toEqual(['default']);
    expect(await projectsAfter(['default'])).toEqual(['default', project]);
    expect(await projectsAfter([])).toEqual([]);
  });

  test('sees neither its roles nor its applications', async () => {
    const appName = await world.application([project]);
    const path = `/api/admin/metrics/applications/${appName}`;
    expect((await ask('GET', '/api/admin/projects/roles/4/access')).text).not.toContain('hush');
    expect((await ask('GET', '/api/admin/metrics/applications')).text).not.toContain(appName);
    for (const read of [path, `${path}/overview`]) expect((await ask('GET', read)).status, read).toBe(404);
    const instances = `/api/admin/metrics/instances/${appName}/environment/development`;
    expect((await ask('GET', instances)).body.instances).toEqual([]);
    expect((await ask('GET', '/api/admin/search/events?type=IS:application-created')).text).not.toContain(appName);
    expect((await ask('POST', path, { description: 'mine' })).status).toBe(404);
    expect((await ask('DELETE', path)).status).toBe(200);
    expect((await service.get(path)).body.description).toBeUndefined();
  });

  test('sees nothing of what happened in it once it is gone, and takes its id for no project of their own', async () => {
    const id = await world.project();
    await world.ask('PUT', `/api/admin/projects/${id}/settings`, { mode: 'private' });
    const { name: featureName } = await world.feature({ project: id });
    await world.ask('DELETE', `/api/admin/projects/${id}/features/${featureName}`);
    await world.ask('DELETE', `/api/admin/projects/${id}`);
    untilNoticed();
    const found = await ask('GET', `/api/admin/search/events?project=IS:${id}`);
    expect([found.body.total, (await ask('GET', `/api/admin/events/${featureName}`)).body.totalEvents]).toEqual([0, 0]);
    expect((await service.get(`/api/admin/search/events?project=IS:${id}`)).body.total).toBeGreaterThan(0);
    expect((await ask('POST', '/api/admin/projects', { id, name: 'Mine' })).status).toBe(409);
    await world.ask('POST', '/api/admin/projects', { id, name: 'Open to all' });
    untilNoticed();
    expect((await ask('GET', `/api/admin/projects/${id}/overview`)).status).toBe(200);
  });
});

describe.each([
  ['client', '/api/client/features', () => world.clientToken({ projects: ['default'] })],
  ['frontend', '/api/frontend', () => world.frontendToken({ projects: ['default'] })],
])('A %s token of another project', (_kind, path, tokenOf) => {
  test('finds nothing of a private project in any reply', async () => {
    const token = await tokenOf();
    expect((await service.get(path, { token })).status).toBe(200);
    // All other operations refuse it before they look at anything, which the specification of each proves.
    const bodies = (operation: Operation) =>
      operation.method === 'GET' ? [undefined] : [exampleBody(operation.operationId)];
    expect(await secretsFor(planted, token, operationsOfSdks, bodies)).toEqual(new Map());
  });
});

test('An Admin finds all that is secret', async () => {
  const found = await secretsFor(planted, service.adminToken);
  expect([...found.values()].flatMap((words) => [...words])).toEqual(
    expect.arrayContaining([
      ...[project, feature, archived, secret, 'hush-child', 'hush-gone', 'hush-variant', 'hush-field', 'hush-tag'],
      ...['hush-app', 'hush-unknown', 'hush_metric', 'hush_label', 'hush-token-of-hush-app'],
    ]),
  );
  expect(found.size).toBeGreaterThan(40);
});

test('The tags of a feature that leaves a private project are listed for those who see it then', async () => {
  const path = `/api/admin/projects/${project}/features`;
  const [value, token] = ['freed-tag', await world.token()];
  const isListed = async () => {
    const { tags } = (await service.get('/api/admin/tags/simple', { token })).body;
    return tags.some((tag: { value: string }) => tag.value === value);
  };
  await world.ask('POST', path, { name: 'freed', tags: [{ type: 'simple', value }] });
  expect(await isListed()).toBe(false);
  await world.ask('POST', `${path}/freed/changeProject`, { newProjectId: 'default' });
  expect(await isListed()).toBe(true);
});

test('Tags of a private project are hidden however many a feature of it receives at once', async () => {
  const tagsOf = (kind: string) => Array.from({ length: 60 }, (_, n) => ({ type: 'simple', value: `${kind}-${n}` }));
  const { name } = await world.feature({ project });
  await world.ask('PUT', `/api/admin/features/${name}/tags`, { addedTags: tagsOf('single'), removedTags: [] });
  await world.ask('POST', `/api/admin/projects/${project}/features`, { name: 'labelled', tags: tagsOf('created') });
  await world.ask('POST', '/api/admin/features-batch/import', {
    ...{ project, environment: 'development' },
    data: {
      ...{ features: [{ name }], featureStrategies: [], tagTypes: [] },
      featureTags: tagsOf('imported').map(({ value }) => ({ featureName: name, tagType: 'simple', tagValue: value })),
    },
  });
  const { tags } = (await service.get('/api/admin/tags/simple', { token: await world.token() })).body;
  expect(tags.filter(({ value }: { value: string }) => /^(single|created|imported)-/.test(value))).toEqual([]);
});

describe('A member of a private project', () => {
  test.each([
    ['an Admin', () => world.token({ rootRole: 'Admin' })],
    ['an Editor, who may work in all projects', () => world.token({ rootRole: 'Editor' })],
    ['a Reader', () => world.token({ inProject: { project, role: 'Reader' } })],
    ['the holder of an admin token', async () => service.adminToken],
  ])('sees all of it: %s', async (_who, tokenOf) => {
    const token = await tokenOf();
    const { projects } = (await service.get('/api/admin/projects', { token })).body;
    expect(projects.map(({ id }: { id: string }) => id)).toContain(project);
    expect((await service.get(`/api/admin/projects/${project}/features/${feature}`, { token })).status).toBe(200);
    expect((await service.get(`/api/admin/events/${feature}`, { token })).body.totalEvents).toBeGreaterThan(0);
  });

  test('by a group sees it at once, and no longer than the time of trust once they are out of it', async () => {
    const user = await world.user();
    const service2 = await world.serviceAccount();
    const { secret: token } = await world.serviceAccountToken(service2.id);
    const path = `/api/admin/projects/${project}`;
    const status = async () => (await service.get(`${path}/overview`, { token })).status;
    expect(await status()).toBe(404);
    const group = await world.groupId({ users: [{ user: { id: service2.id } }, { user: { id: user.id } }] });
    await world.ask('PUT', `${path}/groups/${group}/roles`, { roles: [6] });
    expect(await status()).toBe(200);
    await world.ask('DELETE', `${path}/groups/${group}/roles`);
    untilNoticed();
    expect(await status()).toBe(404);
  });
});

test('Whether a project is private follows its settings, and ends with it', async () => {
  const id = await world.project();
  const status = async () =>
    (await service.get(`/api/admin/projects/${id}/overview`, { token: await world.token() })).status;
  const set = async (mode: string) => {
    await world.ask('PUT', `/api/admin/projects/${id}/settings`, { mode });
    untilNoticed();
  };
  expect(await status()).toBe(200);
  await set('private');
  expect(await status()).toBe(404);
  await set('protected');
  expect(await status()).toBe(200);
  await set('private');
  await world.ask('DELETE', `/api/admin/projects/${id}`);
  await world.ask('POST', '/api/admin/projects', { id, name: 'Again' });
  untilNoticed();
  expect(await status()).toBe(200);
});
