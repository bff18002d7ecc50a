import { beforeEach, describe, expect, test } from 'vitest';
import { banners } from '../../../../lib/banners/banners.ts';
import { contextFields } from '../../../../lib/context-fields/context-fields.ts';
import { environmentsMax, listEnvironments } from '../../../../lib/environments/environments.ts';
import type { ApiError } from '../../../../lib/errors.ts';
import { systemUser } from '../../../../lib/events/actor.ts';
import { users } from '../../../../lib/identity/users.ts';
import * as importKeys from '../../../../lib/imports/keys.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../../lib/imports/seed/seed-store.ts';
import { addons } from '../../../../lib/integrations/addons.ts';
import { listAccess } from '../../../../lib/people/access-list.ts';
import { ensureUser } from '../../../../lib/people/ensure-user.ts';
import { loadProject, projects, projectsMax } from '../../../../lib/projects/projects.ts';
import type { Request } from '../../../../lib/request.ts';
import { segments, segmentsMax } from '../../../../lib/segments/segments.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { queryAll, readItem } from '../../../../lib/store/read.ts';
import { raiseCounter } from '../../../../lib/store/transactions/transact.ts';
import { strategyTypes } from '../../../../lib/strategy-types/strategy-types.ts';
import { tagTypes } from '../../../../lib/tags/tags.ts';
import example from '../../../fixtures/seed.json' with { type: 'json' };

import { lateRequest } from '../../../harness/late-request.ts';
import { serviceEvents } from '../../../harness/service-events.ts';
import { betweenReadAndWrite } from '../../../harness/store-requests.ts';
import { stuckAfter } from '../../../harness/stuck.ts';
import { serviceForEach } from '../../../specifications/specify.ts';

const service = serviceForEach();
let table: Request;
beforeEach(async () => {
  ({ table } = service);
});

const seed = (json: unknown) => seedStore(table, readSeed(json));
const nextId = (counter: string) => raiseCounter(table, keys.counter(counter), 1);
const groupsOf = async (id: number) => (await users.load(table, id)).value.groups;

describe('seeding', () => {
  test('adds everything in the example, each thing with one event', async () => {
    const before = await serviceEvents(table);
    const { added } = await seed(example);
    expect(added).toEqual([
      { kind: 'environment', name: 'staging' },
      { kind: 'project', name: 'shop' },
      { kind: 'environment of the project default', name: 'staging' },
      { kind: 'context field', name: 'country' },
      { kind: 'tag type', name: 'team' },
      { kind: 'strategy type', name: 'storeHours' },
      { kind: 'segment', name: 'swiss-customers' },
      { kind: 'addon', name: 'webhook (id 1)' },
      { kind: 'release template', name: 'Shop by shop' },
      { kind: 'banner', name: 'The shop **moves** on Monday' },
      { kind: 'user', name: 'alice' },
      { kind: 'user', name: 'bob' },
      { kind: 'group', name: 'shopkeepers' },
    ]);
    const events = (await serviceEvents(table)).slice(before.length);
    expect(events.map(({ type }) => type)).toEqual([
      'environment-created',
      'project-created',
      'project-environment-added',
      'context-field-created',
      'tag-type-created',
      'strategy-created',
      'segment-created',
      'addon-config-created',
      'release-plan-template-created',
      'banner-created',
      'user-created',
      'user-created',
      'group-created',
    ]);
    expect(JSON.stringify(events)).not.toContain('a secret');
    expect(await readItem(table, addons.keyOf(1))).toMatchObject({
      provider: 'webhook',
      events: '["feature-created","feature-archived"]',
    });
    expect(await banners.list(table)).toMatchObject([{ id: 1, enabled: true, to: '2126-12-31T10:00:00.000Z' }]);
    // They have all properties of the seed.
    for (const [kind, all] of [
      [segments, example.segments],
      [contextFields, example.contextFields],
      [tagTypes, example.tagTypes],
      [strategyTypes, example.strategies],
    ] as const) {
      expect(await kind.list(table)).toEqual(expect.arrayContaining(all.map((each) => expect.objectContaining(each))));
    }
    expect(await readItem(table, { pk: 'SEGMENTS', sk: 'NAME#swiss-customers' })).toMatchObject({
      id: 7,
      project: 'shop',
    });
    expect(await readItem(table, strategyTypes.keyOf('storeHours'))).toMatchObject({
      editable: true,
      deprecated: false,
    });
  });

  test('adds nothing and writes no event the second time', async () => {
    await seed({ ...example, addons: [...example.addons, { provider: 'slack', enabled: false }] });
    const before = await serviceEvents(table);
    expect(await seed({ ...example, addons: [...example.addons, { provider: 'slack', enabled: false }] })).toEqual({
      added: [],
    });
    expect(await serviceEvents(table)).toEqual(before);
    expect(await nextId('event')).toBe((before.at(-1)?.id ?? 0) + 1);
  });

  test('refuses templates of release plans whose strategies refer to what is neither in the file nor in the store', async () => {
    const segment = { id: 7, name: 'own', project: 'default', constraints: [] };
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['tin'] }];
    const strategies = [{ name: 'none' }, { name: 'default', segments: [7, 8] }, { name: 'default', constraints }];
    const contextFields = [{ name: 'plan', legalValues: [{ value: 'gold' }] }];
    const releaseTemplates = [{ name: 'all', milestones: [{ name: 'first', strategies }] }];
    const failure: ApiError = await seed({ segments: [segment], contextFields, releaseTemplates }).catch(
      (error) => error,
    );
    expect(failure.details.map(({ path }) => path)).toEqual(
      ['0.name', '1.segments.1', '1.segments', '2.constraints.0'].map(
        (place) => `releaseTemplates.0.milestones.0.strategies.${place}`,
      ),
    );
  });

  test('does not change existing things, even if the file describes them differently', async () => {
    await seed({
      users: [{ username: 'admin', rootRole: 'Viewer' }],
      environments: [{ name: 'production', sortOrder: 99 }],
    });
    const { users } = await listAccess(table);
    expect(users[0]).toMatchObject({ username: 'admin', rootRole: 1 });
    expect((await listEnvironments(table)).at(-1)).toMatchObject({ name: 'production', sortOrder: 3 });
  });

  test('gives projects the protection of their new environments', async () => {
    const named = { environments: ['development', 'guarded'] };
    await seed({
      environments: [{ name: 'guarded', requiredApprovals: 2 }],
      projects: [
        { id: 'default', ...named },
        { id: 'shop', ...named },
      ],
    });
    for (const project of ['default', 'shop']) {
      const { body } = await service.get(`/api/admin/projects/${project}/change-requests/config`);
      const needed = body.filter(({ changeRequestEnabled }: { changeRequestEnabled: boolean }) => changeRequestEnabled);
      expect(needed).toMatchObject([{ environment: 'guarded', requiredApprovals: 2 }]);
    }
  });

  test('gives an existing project its missing environments, and counts them', async () => {
    const before = (await projects.load(table, 'default')).version;
    await seed({
      environments: [{ name: 'qa' }, { name: 'load' }],
      projects: [{ id: 'default', environments: ['load', 'qa', 'production'] }],
    });
    const {
      value: { environments },
      version,
    } = await projects.load(table, 'default');
    expect(environments.map(({ name }) => name)).toEqual(['development', 'production', 'qa', 'load']);
    expect(version).toBe(before + 1);
    const counts = (await listEnvironments(table)).map(({ name, sortOrder, projectCount }) => [
      name,
      sortOrder,
      projectCount,
    ]);
    expect(counts).toEqual([
      ['default', 1, 0],
      ['development', 2, 1],
      ['production', 3, 1],
      ['qa', 4, 1],
      ['load', 5, 1],
    ]);
  });

  describe('deleted and removed things', () => {
    const shop = { projects: [{ id: 'shop', environments: ['development', 'production'] }] };
    const on = '/api/admin/projects/shop/features/cart/environments/production/on';
    const createFeature = () => service.post('/api/admin/projects/shop/features', { name: 'cart' });

    test('creates a working project without anything of the deleted one', async () => {
      await seed(shop);
      await service.post('/api/admin/context', { name: 'region', project: 'shop' });
      const deletion = await stuckAfter(table, 1, () => service.call('DELETE', '/api/admin/projects/shop'));
      expect(deletion.isStuck).toBe(true);
      await seed(shop);
      expect((await createFeature()).status).toBe(201);
      await deletion.goOn();
      expect((await service.call('POST', on)).status).toBe(200);
      const { projectCount } = (await listEnvironments(table)).find(({ name }) => name === 'production') ?? {};
      expect(projectCount).toBe(2);
    });

    test('gives a project its environment back, with its features off', async () => {
      await seed(shop);
      await createFeature();
      await service.call('POST', on);
      await service.call('DELETE', '/api/admin/projects/shop/environments/production');
      await seed(shop);
      const { body } = await service.get('/api/admin/projects/shop/features/cart');
      const states = body.environments.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled]);
      expect(states).toContainEqual(['production', false]);
      expect((await service.call('POST', on)).status).toBe(200);
    });

    test('creates an environment in which no token of the deleted one works', async () => {
      await seed({ environments: [{ name: 'qa' }], projects: [{ id: 'shop', environments: ['qa'] }] });
      const token = { tokenName: 'old', type: 'client', environment: 'qa', projects: ['shop'] };
      await service.post('/api/admin/api-tokens', token);
      const deletion = await stuckAfter(table, 1, () => service.call('DELETE', '/api/admin/environments/qa'));
      expect(deletion.isStuck).toBe(true);
      await seed({ environments: [{ name: 'qa' }] });
      await deletion.goOn();
      const { body } = await service.get('/api/admin/api-tokens');
      expect(body.tokens.filter(({ environment }: { environment: string }) => environment === 'qa')).toEqual([]);
      expect((await listEnvironments(table)).map(({ name }) => name)).toContain('qa');
    });
  });

  test('stores the members in a group, and the group in its members', async () => {
    await seed({ groups: [{ name: 'admins', users: ['admin'] }] });
    await seed({
      users: [{ username: 'alice' }],
      groups: [
        { name: 'one', rootRole: 2, users: ['admin', 'alice'] },
        { name: 'two', users: ['alice'] },
      ],
    });
    const { groups } = await listAccess(table);
    expect(groups.map(({ id, name, rootRole, userCount }) => [id, name, rootRole, userCount])).toEqual([
      [1, 'admins', undefined, 1],
      [2, 'one', 2, 2],
      [3, 'two', undefined, 1],
    ]);
    expect(await groupsOf(1)).toEqual([1, 2]);
    expect(await groupsOf(2)).toEqual([2, 3]);
  });

  test('continues with ids above those of the file', async () => {
    await seed({
      segments: [{ name: 'next' }, { id: 40, name: 'given' }, { id: 5, name: 'low' }],
      addons: [{ id: 12, provider: 'webhook', enabled: false }],
    });
    expect(await readItem(table, { pk: 'SEGMENTS', sk: 'NAME#next' })).toMatchObject({ id: 41 });
    expect(await readItem(table, { pk: 'SEGMENTS', sk: 'NAME#low' })).toMatchObject({ id: 5 });
    expect(await nextId('segment')).toBe(42);
    expect(await nextId('addon')).toBe(13);
  });

  test('accepts users without a user name, whom groups name by their address, and finds them again', async () => {
    const file = {
      users: [{ username: null, email: 'carol@example.com', rootRole: 'Editor' }],
      groups: [{ name: 'mailed', users: ['carol@example.com'] }],
    };
    expect((await seed(file)).added.map(({ name }) => name)).toEqual(['carol@example.com', 'mailed']);
    expect((await seed(file)).added).toEqual([]);
    const carol = (await users.list(table)).find(({ email }) => email === 'carol@example.com');
    expect([carol?.username, carol?.rootRole, carol?.groups.length]).toEqual([undefined, 2, 1]);
    const failure: ApiError = await seed({ users: [{ name: 'Nobody' }] }).catch((error) => error);
    expect(failure.details.map(({ path }) => path)).toEqual(['users.0.username']);
  });

  test('gives all enabled environments to a new project without environments, and none to an existing one', async () => {
    await seed({ environments: [{ name: 'off', enabled: false }], projects: [{ id: 'listed' }] });
    const environmentsOf = async () => (await loadProject(table, 'listed')).environments.map(({ name }) => name);
    expect(await environmentsOf()).toEqual(['development', 'production']);
    await seed({ environments: [{ name: 'later' }], projects: [{ id: 'listed' }] });
    expect(await environmentsOf()).toEqual(['development', 'production']);
  });

  test('names the problems of form, repetition, reference, id and size together, and writes nothing', async () => {
    await seed({ segments: [{ id: 3, name: 'taken' }], addons: [{ id: 3, provider: 'webhook', enabled: false }] });
    const before = await serviceEvents(table);
    const legalValues = Array.from({ length: 5_000 }, (_, index) => ({ value: `${index} ${'x'.repeat(90)}` }));
    const file = readSeed({
      environments: [{ type: 'test' }, { name: 'qa', enabled: 'yes' }],
      projects: [
        { name: 'without id' },
        { id: 'shop', description: {}, environments: ['qa', 'nowhere'] },
        { id: 'till', environments: ['production', 'none'] },
      ],
      contextFields: [{}, { name: 'large', legalValues }],
      tagTypes: [{ name: 'team' }, { name: 'team' }],
      segments: ['none', { id: 3, name: 'other', project: 'shop' }, { id: 'x', name: 'lost', project: 'nowhere' }],
      addons: [{ id: 3, provider: 'datadog', projects: ['none', 'till', '*'], environments: ['nowhere'] }],
      users: [{ username: 'alice', email: 'nobody' }],
      groups: [{ name: 'all', users: ['alice', 'bob'], projects: ['none'] }],
    });
    const failure: ApiError = await seedStore(table, file).catch((error) => error);
    expect(failure.details.map(({ path }) => path)).toEqual([
      'environments.0.name',
      'environments.1.enabled',
      'projects.0.id',
      'projects.1.description',
      'contextFields.0.name',
      'segments.0',
      'segments.2.id',
      'users.0.email',
      'tagTypes.1',
      'projects.1.environments.1',
      'projects.2.environments.1',
      'contextFields.1',
      'segments.1.id',
      'segments.2.project',
      'addons.0.projects.0',
      'addons.0.environments.0',
      'addons.0.parameters.apiKey',
      'addons.0.id',
      'groups.0.users.1',
      'groups.0.projects.0',
    ]);
    const messages = failure.details.map(({ message }) => message);
    expect(messages).toContain('There is already a segment with the id "3".');
    expect(messages).toContain('There is already an addon with the id "3".');
    expect(await serviceEvents(table)).toEqual(before);
  });

  test('refuses a user with the sign-in name of another user, and a name that the API reserves', async () => {
    await seed({ users: [{ username: 'alice', email: 'alice@example.com' }] });
    const before = await serviceEvents(table);
    const failure = seed({
      environments: [{ name: '*' }],
      projects: [{ id: 'archive' }],
      users: [
        { username: 'Alice' },
        { username: 'bob', email: 'ALICE@example.com' },
        { username: 'carol', email: 'alice@example.com' },
        { username: 'dave' },
        { username: 'DAVE' },
      ],
    });
    await expect(failure).rejects.toMatchObject({
      name: 'ValidationError',
      details: [
        { path: 'environments.0.name' },
        { path: 'projects.0.id' },
        { path: 'users.0', message: expect.stringContaining('user name "Alice"') },
        { path: 'users.1.email', message: expect.stringContaining('"ALICE@example.com"') },
        { path: 'users.2.email', message: expect.stringContaining('alice@example.com') },
        { path: 'users.4', message: expect.stringContaining('"DAVE"') },
      ],
    });
    expect(await serviceEvents(table)).toEqual(before);
  });

  test('names each thing above a limit, and writes nothing', async () => {
    const some = (amount: number, of: (name: string) => object) =>
      Array.from({ length: amount }, (_, index) => of(`thing-${index}`));
    const before = await serviceEvents(table);
    const seeding = seed({
      // Three environments and a project exist already.
      environments: some(environmentsMax - 1, (name) => ({ name })),
      projects: some(projectsMax, (id) => ({ id })),
      segments: some(segmentsMax + 1, (name) => ({ name })),
    });
    const problems = await seeding.catch(({ details }: ApiError) => details);
    expect(problems).toEqual([
      ...[47, 48].map((index) => ({
        message: `At most ${environmentsMax} environments are allowed.`,
        path: `environments.${index}`,
      })),
      { message: `At most ${projectsMax} projects are allowed.`, path: `projects.${projectsMax - 1}` },
      { message: `At most ${segmentsMax} segments are allowed.`, path: `segments.${segmentsMax}` },
    ]);
    expect(await serviceEvents(table)).toEqual(before);
  });

  describe('notices concurrent deletions', () => {
    const remove = (path: string) => () => service.call('DELETE', `/api/admin/${path}`);

    test.each([
      [
        'the project of a segment',
        'projects/shop',
        { segments: [{ name: 'new', project: 'shop' }] },
        'segments.0.project',
      ],
      [
        'a project of a group',
        'projects/shop',
        { groups: [{ name: 'new', projects: ['shop'] }] },
        'groups.0.projects.0',
      ],
      [
        'an environment of a new project',
        'environments/qa',
        { projects: [{ id: 'new', environments: ['qa'] }] },
        'projects.0.environments.0',
      ],
      [
        'an environment of one that is there',
        'environments/qa',
        { projects: [{ id: 'shop', environments: ['qa'] }] },
        'projects.0.environments.0',
      ],
    ])('be it %s', async (_what, path, json, place) => {
      await seed({ environments: [{ name: 'qa' }], projects: [{ id: 'shop', environments: [] }] });
      const removed = () => remove(path)().then(({ status }) => expect(status).toBeLessThan(300));
      const seeding = betweenReadAndWrite(table, removed, () => seed(json));
      await expect(seeding).rejects.toMatchObject({ details: [{ path: place }] });
    });
  });

  test('accepts more than one transaction can contain', async () => {
    const users = Array.from({ length: 150 }, (_, index) => ({ username: `user-${index}` }));
    const members = users.map(({ username }) => username);
    const { added } = await seed({
      users,
      groups: [
        { name: 'many', users: members.slice(0, 90) },
        { name: 'others', users: members.slice(60) },
      ],
    });
    expect(added).toHaveLength(152);
    const access = await listAccess(table);
    expect(access.users.map(({ id }) => id)).toEqual(Array.from({ length: 151 }, (_, index) => index + 1));
    expect(access.groups.map(({ userCount }) => userCount)).toEqual([90, 90]);
    expect(await nextId('user')).toBe(152);
    expect(new Set((await serviceEvents(table)).map(({ id }) => id)).size).toBe((await serviceEvents(table)).length);
  });

  test('sorts an environment without a position after all others, and keeps a given position', async () => {
    await seed({ environments: [{ name: 'first', sortOrder: 0 }, { name: 'far', sortOrder: 40 }, { name: 'last' }] });
    const order = (await listEnvironments(table)).map(({ name, sortOrder }) => [name, sortOrder]);
    expect(order).toEqual([
      ['first', 0],
      ['default', 1],
      ['development', 2],
      ['production', 3],
      ['far', 40],
      ['last', 41],
    ]);
  });

  test('finds an addon by its id, or by equal settings if it has none', async () => {
    const twin = { provider: 'webhook', description: 'chat', enabled: false };
    await seed({ addons: [{ id: 7, ...twin }] });
    expect((await seed({ addons: [{ id: 7, ...twin }, twin] })).added).toEqual([
      { kind: 'addon', name: 'webhook (id 8)' },
    ]);
    expect((await seed({ addons: [{ id: 7, ...twin }, twin] })).added).toEqual([]);
    expect((await seed({ addons: [twin] })).added).toEqual([]);
    expect((await seed({ addons: [{ id: 9, ...twin }] })).added).toEqual([{ kind: 'addon', name: 'webhook (id 9)' }]);
  });

  test('refuses an enabled addon with every mistake that the API finds, but not one that exists or is off', async () => {
    const url = 'https://chat.example.com/hook';
    await seed({ addons: [{ id: 1, provider: 'webhook', parameters: { url } }] });
    const wrong = { url: 'http://169.254.169.254/', bodyTemplate: '{{#x}}' };
    const file = {
      addons: [
        { id: 1, provider: 'webhook', parameters: wrong },
        { provider: 'webhook', parameters: wrong, events: ['feature-created', 'user-sneezed'] },
        { provider: 'nonsense', events: ['feature-created'] },
        { provider: 'teams', enabled: false },
      ],
    };
    const failure: ApiError = await seed(file).catch((error) => error);
    expect(failure.details.map(({ path }) => path)).toEqual([
      'addons.1.parameters.url',
      'addons.1.parameters.bodyTemplate',
      'addons.1.events',
      'addons.2.provider',
    ]);
    expect(await addons.list(table)).toHaveLength(1);
  });

  test('gives no id twice while the API takes ids from the same counter', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `${index}`);
    const content = { description: '', project: null, constraints: [], createdBy: 'alice' };
    await Promise.all(
      names.flatMap((name) => [
        seed({ segments: [{ name: `seed-${name}` }] }),
        segments.create(table, systemUser, (createdAt, id) => ({ ...content, id, name: `api-${name}`, createdAt })),
        ensureUser(table, { username: `api-${name}` }),
        seed({ users: [{ username: `seed-${name}` }] }),
      ]),
    );
    const ids = (await segments.list(table)).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([16, 16]);
    expect((await users.list(table)).length).toBe(17);
    expect(await nextId('segment')).toBeGreaterThan(Math.max(...ids));
  });

  test('gives no id that the API has given out since the counter was read', async () => {
    const content = { description: '', project: null, constraints: [], createdBy: 'alice' };
    lateRequest(table, '":pk":"SEGMENTS"', () =>
      segments.create(table, systemUser, (createdAt, id) => ({ ...content, id, name: 'of the API', createdAt })),
    );
    expect((await seed({ segments: [{ name: 'of the seed' }] })).added).toHaveLength(1);
    expect((await segments.list(table)).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('names the missing references of an entry even if the entry exists, and adds nothing to it', async () => {
    await seed({ groups: [{ name: 'all', users: ['admin'] }] });
    const failure = seed({
      projects: [{ id: 'default', environments: ['nowhere'] }],
      groups: [{ name: 'all', users: ['nobody'] }],
    });
    await expect(failure).rejects.toMatchObject({
      details: [
        { path: 'projects.0.environments.0', message: expect.stringContaining('no environment "nowhere"') },
        { path: 'groups.0.users.0', message: expect.stringContaining('no user "nobody"') },
      ],
    });
  });

  test('ends in the same state after several concurrent runs as after one', async () => {
    const before = await serviceEvents(table);
    const file = {
      ...example,
      addons: [{ provider: 'slack', enabled: false }],
      segments: [...example.segments, { name: 'some' }, { name: 'more' }],
    };
    const results = await Promise.all([1, 2, 3, 4].map(() => seed(file)));
    const added = results.flatMap((result) => result.added);
    expect(added).toHaveLength(15);
    expect(await serviceEvents(table)).toHaveLength(before.length + 15);
    const { users, groups } = await listAccess(table);
    expect(users.map(({ username }) => username)).toEqual(['admin', 'alice', 'bob']);
    expect(groups).toEqual([expect.objectContaining({ name: 'shopkeepers', userCount: 2 })]);
    expect((await listEnvironments(table)).map(({ projectCount }) => projectCount)).toEqual([0, 2, 2, 2]);
    expect(await queryAll(table, { pk: 'ADDONS' })).toHaveLength(1);
  });

  test('adds an addon without an id only once, even if another run ends between its reads or before its write', async () => {
    const adding = (provider: string) => () => seed({ addons: [{ provider, enabled: false }] });
    lateRequest(table, JSON.stringify(importKeys.seedRun()), adding('slack'));
    expect((await adding('slack')()).added).toEqual([]);
    await betweenReadAndWrite(table, adding('teams'), adding('teams'));
    // With an id in its file, the other run gives different ids than this one.
    const besideAnId = () =>
      seed({
        addons: ['slack', 'datadog'].map((provider, index) => ({
          provider,
          enabled: false,
          ...(index === 0 && { id: 40 }),
        })),
      });
    await betweenReadAndWrite(table, besideAnId, adding('datadog'));
    expect(await queryAll(table, { pk: 'ADDONS' })).toHaveLength(4);
  });

  test('loses nothing and gives no id twice when different files are seeded concurrently', async () => {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        seed({ users: [{ username: name }], groups: [{ name, users: ['admin', name] }], segments: [{ name }] }),
      ),
    );
    const { users, groups } = await listAccess(table);
    expect(users.map(({ username }) => username).toSorted()).toEqual(['a', 'admin', 'b', 'c', 'd']);
    expect(groups.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect((await groupsOf(1)).toSorted((a, b) => a - b)).toEqual(groups.map(({ id }) => id));
  });
});
