import { afterAll, beforeAll, describe, expect } from 'vitest';
import { systemUser } from '../../../../lib/events/actor.ts';
import { groups } from '../../../../lib/identity/groups.ts';
import { makeSecret } from '../../../../lib/identity/tokens/token.ts';
import { runMigration } from '../../../../lib/imports/migration/run.ts';
import { readSource, type SourceContent } from '../../../../lib/imports/migration/source.ts';
import { prepareStore } from '../../../../lib/imports/seed/fresh-store.ts';
import { removeFromProject } from '../../../../lib/provisioning/remove-environment.ts';
import type { Request } from '../../../../lib/request.ts';
import { makeLink, userOfLink } from '../../../../lib/sign-in/passwords/links.ts';
import unleash76 from '../../../fixtures/unleash-7.6-server.json' with { type: 'json' };
import unleash82 from '../../../fixtures/unleash-8.2-server.json' with { type: 'json' };
import { withFault } from '../../../harness/faults.ts';
import { contentOf, snapshot } from '../../../harness/items.ts';
import { freshService, serviceOn } from '../../../harness/service.ts';
import { freshTable } from '../../../harness/table.ts';
import { problemsOf } from '../../../invariants/problems.ts';
import { test } from '../../../specifications/specify.ts';
import { enterpriseServer, getAmong } from './enterprise-source.ts';
import { changeSource, fillSource, getFrom } from './filled-source.ts';

const from = 'https://unleash.example.com/';
/** A server on Monday and on Tuesday: read completely, and updated from Monday. */
let [monday, tuesday, followed]: SourceContent[] = [];
beforeAll(async () => {
  // As on an open-source server, lists show the secrets.
  process.env.READABLE_CLIENT_TOKENS = 'true';
  const service = await freshService();
  await fillSource(service);
  const get = getFrom(service);
  monday = await readSource(get);
  const read = await readSource(get);
  await changeSource(service);
  tuesday = await readSource(get);
  followed = await readSource(get, () => {}, read.copy);
});
afterAll(() => {
  delete process.env.READABLE_CLIENT_TOKENS;
});

const write = (table: Request, source: SourceContent | undefined) =>
  runMigration(table, source as SourceContent, { from, isWriting: true });

/** The flag with the plan, as a server shows it that keeps the milestones to itself. */
const withoutMilestones = (flag: unknown) => {
  const { environments, ...rest } = flag as { readonly environments: readonly object[] };
  return { ...rest, environments: environments.map((state) => ({ ...state, releasePlans: [{ id: 'y' }] })) };
};

async function expectMoved(table: Request, source: SourceContent | undefined): Promise<void> {
  expect(problemsOf(await contentOf(table))).toEqual([]);
  const moved = await readSource(getFrom(await serviceOn(table)));
  expect(comparable(moved)).toEqual(comparable(source as SourceContent));
  const past = [...moved.copy.events()].map(({ data, preData }) => Object(data ?? preData).importedEvent);
  const imported = past.filter((id) => id !== undefined);
  expect(imported.toSorted((x, y) => x - y)).toEqual([...(source?.copy.events() ?? [])].map(({ id }) => id));
}

async function emptyStore(): Promise<Request> {
  const table = await freshTable();
  await prepareStore(table, { adminTokens: [] });
  return table;
}

/** The parts of a server that must be the same on both sides. */
function comparable({ lists, projects, copy }: SourceContent) {
  const { tokens, addons: _addons, users, rootRoles: _rootRoles, ...others } = lists;
  const withoutAdmin = tokens.filter(({ type }) => type !== 'admin').map(({ seenAt: _seenAt, ...token }) => token);
  const volatile = ['lastUpdatedAt', 'updatedAt', 'stats', 'archivedAt', 'createdAt', 'addedAt', 'joinedAt', 'seenAt'];
  const settled = JSON.stringify({ ...others, users, projects }, (key, value) => {
    // The migration itself adds the members of groups.
    if (Object(value).joinedAt !== undefined) return { user: value.user };
    return volatile.includes(key) ? undefined : value;
  });
  return { features: [...copy.features()], tokens: withoutAdmin, others: JSON.parse(settled) };
}

describe('a migration', () => {
  test('imports the favourites of the owner of the token, once', async () => {
    const table = await emptyStore();
    const { lists, projects, ...others } = monday as SourceContent;
    const favorite = (project: SourceContent['projects'][number]) => ({
      ...project,
      overview: { ...project.overview, favorite: true },
    });
    const read: SourceContent = {
      ...{ ...others, lists, me: { user: { id: lists.users[0]?.id } } },
      projects: projects.map((each) => (each.id === 'default' ? favorite(each) : each)),
    };
    const favorites = async () => (await write(table, read)).find(({ kind }) => kind.startsWith('favourites'));
    expect(await favorites()).toMatchObject({ created: ['default'], unchanged: [] });
    expect(await favorites()).toMatchObject({ created: [], unchanged: ['default'] });
  });

  test('imports everything that the API shows, and leaves a consistent store', async () => {
    const table = await emptyStore();
    const outcome = await write(table, monday);
    expect(outcome.flatMap(({ refused }) => refused)).toEqual([
      { name: 'admin', reason: expect.stringContaining('admin tokens are not imported') },
    ]);
    await expectMoved(table, monday);
  });

  test('makes trends begin with the oldest event of the server', async () => {
    const table = await emptyStore();
    const service = await serviceOn(table);
    const loadTrends = async () => (await service.get('/api/admin/insights')).body;
    await loadTrends();
    await write(table, monday);
    const { body: found } = await service.get('/api/admin/search/features?limit=1');
    expect((await loadTrends()).flagTrends.at(-1).total).toBe(found.total);
    expect(found.total).toBeGreaterThan(3);
  });

  test('imports things with names that are invalid here, and finds them again', async () => {
    const table = await emptyStore();
    const { lists, projects, ...others } = monday as SourceContent;
    const withOlder = (things: SourceContent['lists']['roles']) => {
      const last = { ...things.at(-1) };
      return [...things, { ...last, id: 8_001, name: ` ${last.name} ` }, { ...last, id: 8_002, name: '   ' }];
    };
    const [roles, groups, segments] = [lists.roles, lists.groups, lists.segments].map(withOlder);
    const named = projects.map((each) => ({ ...each, overview: { ...each.overview, name: ` ${each.id} ` } }));
    const read = { ...others, projects: named, lists: { ...lists, roles, groups, segments } } as SourceContent;
    const outcome = await write(table, read);
    expect(outcome.flatMap(({ refused }) => refused.map(({ name }) => name))).toEqual(['admin']);
    expect((await write(table, read)).flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
    const moved = await readSource(getFrom(await serviceOn(table)));
    const namesOf = (source: SourceContent) =>
      [
        source.lists.roles,
        source.lists.groups,
        source.lists.segments,
        source.projects.map(({ overview }) => overview),
      ].map((things) => things.map((thing) => thing?.name).toSorted());
    expect(namesOf(moved)).toEqual(namesOf(read));
  });

  test('writes nothing if it runs again or only plans', async () => {
    const table = await emptyStore();
    const before = await snapshot(table);
    const plan = await runMigration(table, monday as SourceContent, { from, isWriting: false });
    expect(await snapshot(table)).toEqual(before);
    const outcome = await write(table, monday);
    expect(outcome).toEqual(plan);
    const after = await snapshot(table);
    const again = await write(table, monday);
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
    expect(await snapshot(table)).toEqual(after);
  });

  test('ends the password links of users whose address it changes', async () => {
    const table = await emptyStore();
    await write(table, monday);
    const { secret, user } = await makeLink(table, 'alice');
    const { lists, ...others } = monday as SourceContent;
    const moved = (address: unknown) => (address === user.email ? 'alice@example.org' : address);
    const users = lists.users.map(({ email, ...each }) => ({ ...each, email: moved(email) }));
    await write(table, { ...others, lists: { ...lists, users } });
    await expect(userOfLink(table, secret)).rejects.toThrow('no longer valid');
  });

  test('distinguishes integrations of different providers without creation times', async () => {
    const table = await emptyStore();
    const { lists, ...others } = monday as SourceContent;
    const addons = ['webhook', 'slack'].map((provider) => ({ provider, enabled: false, events: ['feature-created'] }));
    const outcome = await write(table, { ...others, lists: { ...lists, addons } });
    expect(outcome.find(({ kind }) => kind === 'integrations')).toMatchObject({ created: ['webhook', 'slack'] });
  });

  test('leaves an integration off that the API would refuse, and says everything that is wrong with it', async () => {
    const table = await emptyStore();
    const { lists, ...others } = monday as SourceContent;
    const addon = { provider: 'webhook', enabled: true, events: ['feature-created'], parameters: { url: '*****' } };
    const wrong = { url: 'http://169.254.169.254/', bodyTemplate: '{{#x}}' };
    const addons = [
      { ...addon, description: 'wrong', events: ['user-sneezed'], parameters: wrong },
      { ...addon, description: 'unknown', provider: 'nonsense' },
      { ...addon, description: 'masked' },
      { ...addon, description: 'right', parameters: { url: 'https://example.com/hook' } },
    ];
    const source = { ...others, lists: { ...lists, addons } };
    const outcome = await write(table, source);
    expect(outcome.find(({ kind }) => kind === 'integrations')).toMatchObject({
      created: ['webhook: wrong', 'nonsense: unknown', 'webhook: masked', 'webhook: right'],
      remarks: [
        { reason: expect.stringMatching(/^it is off until .*parameters.url: .*bodyTemplate: .*user-sneezed/) },
        { reason: expect.stringMatching(/^it is off until .*provider: .*unknown/) },
        { reason: 'it is off until you enter url, which the server does not show' },
      ],
    });
    const states = async () =>
      (await serviceOn(table))
        .get('/api/admin/addons')
        .then(({ body }) => body.addons.map((each: { readonly enabled: boolean }) => each.enabled));
    expect(await states()).toEqual([false, false, false, true]);
    const again = await write(table, source);
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
  });

  test('turns an integration off if the server moves it to another address, to which its secrets would go', async () => {
    const table = await emptyStore();
    const { lists, ...others } = monday as SourceContent;
    const migrateTo = (url: string) => {
      const parameters = { url, authorization: '*****' };
      const addons = [
        { provider: 'webhook', description: 'hook', enabled: true, events: ['feature-created'], parameters },
      ];
      return write(table, { ...others, lists: { ...lists, addons } });
    };
    await migrateTo('https://example.com/hook');
    const service = await serviceOn(table);
    const read = async () => (await service.get('/api/admin/addons')).body.addons[0];
    const parameters = { url: 'https://example.com/hook', authorization: 'secret' };
    const addon = await read();
    await service.put(`/api/admin/addons/${addon.id}`, { ...addon, enabled: true, parameters });
    await migrateTo('https://example.com/hook');
    expect((await read()).enabled).toBe(true);
    await migrateTo('https://example.net/hook');
    expect((await read()).enabled).toBe(false);
  });

  test('does not change the secrets and the state of an integration that somebody has enabled here', async () => {
    const table = await emptyStore();
    await write(table, monday);
    const service = await serviceOn(table);
    const [addon] = (await service.get('/api/admin/addons')).body.addons;
    const parameters = { url: 'https://example.com/hook', authorization: 'secret' };
    await service.put(`/api/admin/addons/${addon.id}`, { ...addon, enabled: true, parameters });
    const before = await contentOf(table);
    await write(table, monday);
    expect(await contentOf(table)).toEqual(before);
  });

  test('writes nothing if a server shows the same things in another order', async ({ service }) => {
    await fillSource(service);
    const get = getFrom(service);
    const unordered = (key: string, value: unknown) =>
      ['tags', 'links', 'segments'].includes(key) && Array.isArray(value) ? value.toReversed() : value;
    const other = await readSource(async (path) => JSON.parse(JSON.stringify(await get(path), unordered)));
    const read = await readSource(get);
    const table = await emptyStore();
    await write(table, read);
    const again = await write(table, other);
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
  });

  test('updates an existing project to that of the server, with all its environments', async () => {
    const table = await emptyStore();
    await write(table, monday);
    const service = await serviceOn(table);
    await service.put('/api/admin/projects/shop', { name: 'Ours', description: 'Other' });
    expect((await service.call('DELETE', '/api/admin/projects/shop/environments/staging')).status).toBe(200);
    const outcome = await write(table, monday);
    expect(outcome.find(({ kind }) => kind === 'projects')).toMatchObject({ created: [], changed: ['shop'] });
    await expectMoved(table, monday);
  });

  test('switches on nothing in an environment whose removal from a project was interrupted', async () => {
    const table = await emptyStore();
    await write(table, monday);
    const service = await serviceOn(table);
    const features = '/api/admin/projects/shop/features';
    await service.post(features, { name: 'own' });
    await service.post(`${features}/own/environments/staging/on`);
    await removeFromProject(table, systemUser, { projectId: 'shop', environment: 'staging' });
    await write(table, monday);
    const { body } = await service.get(`${features}/own/environments/staging`);
    expect(body).toMatchObject({ enabled: false, strategies: [{}] });
  });

  test('keeps the environments that a project only has here, and says so', async () => {
    const table = await emptyStore();
    await write(table, monday);
    const service = await serviceOn(table);
    await service.post('/api/admin/environments', { name: 'ours', type: 'test' });
    await service.post('/api/admin/projects/shop/environments', { environment: 'ours' });
    const reason = 'it keeps ours, which it has here only';
    const outcome = await write(table, monday);
    expect(outcome.flatMap(({ remarks }) => remarks)).toContainEqual({ name: 'shop', reason });
    const { body } = await service.get('/api/admin/projects/shop/overview');
    expect(body.environments.map(({ environment }: { environment: string }) => environment)).toContain('ours');
  });

  test('names the tags that are invalid or of an unknown type, and imports the others', async () => {
    const table = await emptyStore();
    const { lists, ...others } = monday as SourceContent;
    const sent = [
      { type: 'simple', value: 'x' },
      { type: 'simple', value: 'good' },
      { type: 'lost', value: 'blue' },
    ];
    const tags = [...lists.tags, ...sent];
    const outcome = (await write(table, { ...others, lists: { ...lists, tags } })).find(({ kind }) => kind === 'tags');
    expect(outcome?.created).toContain('simple:good');
    expect(outcome?.refused).toEqual([
      { name: 'simple:x', reason: expect.stringContaining('value') },
      { name: 'lost:blue', reason: 'There is no tag type "lost".' },
    ]);
  });

  test('names a segment with costly or invalid regular expressions', async () => {
    const table = await emptyStore();
    const { lists, ...others } = monday as SourceContent;
    const constraints = Array.from({ length: 7 }, (_, index) => ({
      ...{ contextName: 'userId', operator: 'REGEX', value: `[ab]{${480 + index}}` },
    }));
    const segments = [
      ...lists.segments,
      { id: 700, name: 'hard', project: null, constraints },
      { id: 701, name: 'bad', constraints: [{ contextName: 'userId', operator: 'REGEX', value: '(' }] },
    ];
    const outcome = await write(table, { ...others, lists: { ...lists, segments } });
    expect(outcome.find(({ kind }) => kind === 'segments')?.refused).toEqual([
      { name: 'hard', reason: expect.stringContaining('at most 3000 are allowed') },
      { name: 'bad', reason: expect.stringContaining('RE2 accepts: missing closing ): `(`') },
    ]);
  });

  test('imports on Tuesday only the changes since Monday', async () => {
    const table = await emptyStore();
    await write(table, monday);
    const plan = await runMigration(table, tuesday as SourceContent, { from, isWriting: false });
    const outcome = await write(table, tuesday);
    expect(outcome).toEqual(plan);
    const moved = outcome.flatMap(({ kind, created, changed }) =>
      created.length + changed.length === 0 ? [] : [[kind, created, changed]],
    );
    expect(moved).toEqual([
      ['users', [], ['alice']],
      ['tags', ['simple:ops'], []],
      ['segments', [], ['swiss']],
      ['flags', ['fresh'], ['cart', 'parent']],
      ['deleted flags', [], ['old']],
      ['SDK tokens', ['late'], []],
      ['events of the past', ['user-updated', 'segment-updated', 'tag-created', 'api-token-created'], []],
    ]);
    await expectMoved(table, tuesday);
  });

  describe('after deletions on the server', () => {
    const deletedKind = 'other things deleted there';
    const prune = async (table: Request, source: SourceContent) =>
      (await runMigration(table, source, { from, isWriting: true, isPruning: true })).find(
        ({ kind }) => kind === deletedKind,
      );
    /** Monday's server without all things that can be deleted. */
    const emptied = (more: Partial<SourceContent> = {}): SourceContent => {
      const { lists, ...others } = monday as SourceContent;
      const gone = { tokens: [], segments: [], groups: [], users: [], serviceAccounts: [], roles: [], addons: [] };
      const projects = others.projects.map((project) => ({ ...project, access: undefined }));
      return { ...others, projects, lists: { ...lists, ...gone }, ...more };
    };

    test('names the deleted things, and deletes them once with --prune', async () => {
      const table = await emptyStore();
      await write(table, monday);
      const before = await snapshot(table);
      const named = (await write(table, emptied())).find(({ kind }) => kind === deletedKind);
      const all = named?.remarks.map(({ name }) => name) ?? [];
      expect(all).toEqual(expect.arrayContaining(['token client shop', 'service account service-ci', 'addon hook']));
      expect(await snapshot(table)).toEqual(before);
      const pruned = await prune(table, emptied());
      const inUse = pruned?.refused.map(({ name }) => name) ?? [];
      const members = pruned?.remarks.map(({ name }) => name) ?? [];
      expect([...(pruned?.changed ?? []), ...inUse, ...members].toSorted()).toEqual(all.toSorted());
      expect(members).toEqual(['group Shopkeepers', 'user alice', 'user bob@example.com']);
      expect(inUse).toEqual(['segment swiss', 'segment shoppers', 'role Releaser']);
      expect(problemsOf(await contentOf(table))).toEqual([]);
      const after = await snapshot(table);
      expect(await prune(table, emptied())).toMatchObject({ changed: [] });
      expect(await snapshot(table)).toEqual(after);
    });

    test('names environments, projects, members and roles that are only here, which always stay', async () => {
      const table = await emptyStore();
      await write(table, monday);
      const { lists, projects, ...others } = monday as SourceContent;
      const fewer = {
        ...lists,
        environments: lists.environments.filter(({ name }) => name !== 'staging'),
        groups: lists.groups.map((group) => ({ ...group, users: [] })),
      };
      const nobody = { users: [], groups: [] };
      const open = projects.filter(({ id }) => id !== 'closed').map((project) => ({ ...project, access: nobody }));
      const outcome = await runMigration(
        table,
        { ...others, lists: fewer, projects: open },
        { from, isWriting: false },
      );
      expect(outcome.flatMap(({ remarks }) => remarks.map(({ name, reason }) => `${name}: ${reason}`))).toEqual(
        expect.arrayContaining([
          'Shopkeepers (2): it keeps members whom it has here only',
          'alice in shop: has a role here only',
          'Shopkeepers in shop: has a role here only',
          'project Closed: it stays until you delete it',
          'environment staging: it stays until you delete it',
        ]),
      );
    });

    test('keeps things that were not imported, and things that were changed here', async () => {
      const table = await emptyStore();
      await write(table, monday);
      const service = await serviceOn(table);
      await service.post('/api/admin/segments', { name: 'own', constraints: [] });
      const [robot] = (await service.get('/api/admin/service-account')).body.serviceAccounts;
      await service.put(`/api/admin/service-account/${robot.id}`, { name: 'Ours now' });
      const pruned = await prune(table, emptied());
      const reason = expect.stringContaining('changed here');
      expect(pruned?.remarks).toContainEqual({ name: 'service account service-ci', reason });
      const { body } = await service.get('/api/admin/segments');
      expect(body.segments.map(({ name }: { name: string }) => name)).toContain('own');
    });

    test('deletes a thing with a name that an earlier migration has updated', async () => {
      const table = await emptyStore();
      const withTagTypes = (...tagTypes: SourceContent['lists']['tagTypes']) => {
        const { lists, ...others } = monday as SourceContent;
        return { ...others, lists: { ...lists, tagTypes: [...lists.tagTypes, ...tagTypes] } };
      };
      await write(table, withTagTypes({ name: 'brief', description: 'old' }));
      await write(table, withTagTypes({ name: 'brief', description: 'new' }));
      expect(await prune(table, withTagTypes())).toMatchObject({ changed: ['tag type brief'], remarks: [] });
    });

    test('deletes nothing that the token may not see, or that the server does not list', async () => {
      const table = await emptyStore();
      await write(table, monday);
      const before = await snapshot(table);
      const pruned = await prune(table, emptied({ whole: new Set() }));
      expect(pruned).toMatchObject({ changed: [], remarks: [] });
      expect(await snapshot(table)).toEqual(before);
      const service = await freshService();
      const get = getFrom(service);
      const read = (path: string, answer: { status: number; body: unknown }) =>
        readSource(async (each) => (each === path ? answer : get(each)));
      const { body: me } = await get('/api/admin/user');
      const asViewer = await read('/api/admin/user', { status: 200, body: { ...Object(me), permissions: [] } });
      const refused = await read('/api/admin/segments', { status: 403, body: undefined });
      expect(asViewer.whole.size).toBe(0);
      expect([refused.whole.has('segments'), refused.whole.has('tokens')]).toEqual([false, true]);
    });
  });

  test('imports the whole history of a flag that is deleted while the server is read', async ({ service }) => {
    const get = getFrom(service);
    await service.post('/api/admin/projects/default/features', { name: 'brief' });
    const cut = await readSource(async (path) => {
      if (path === '/api/admin/projects/default/features') {
        await service.call('DELETE', '/api/admin/projects/default/features/brief');
        await service.call('DELETE', '/api/admin/archive/brief');
      }
      return get(path);
    });
    const whole = await readSource(get);
    const table = await emptyStore();
    await write(table, cut);
    await write(table, whole);
    const before = await snapshot(table);
    await write(table, whole);
    expect(await snapshot(table)).toEqual(before);
    expect(problemsOf(await contentOf(table))).toEqual([]);
    const { body } = await (await serviceOn(table)).get('/api/admin/search/events?feature=IS:brief');
    const types = body.events.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['feature-deleted', 'feature-archived', 'feature-created']);
  });

  test('imports no secret of an event, and no link with it', async ({ service }) => {
    await service.post('/api/admin/projects/default/features', { name: 'brief' });
    const [get, secret] = [getFrom(service), makeSecret('admin').slice(4)];
    const data = { secret, url: `https://old.example.com/new-user?invite=${secret}`, name: 'everybody' };
    const invited = { type: 'public-signup-token-created', project: null, featureName: null, data };
    const source = await readSource(async (path) => {
      const { status, body } = await get(path);
      if (!path.includes('search/events')) return { status, body };
      const events = Object(body).events.map((each: { type: string }) => ({
        ...each,
        ...(each.type === 'feature-created' && invited),
      }));
      return { status, body: { ...Object(body), events } };
    });
    const table = await emptyStore();
    await write(table, source);
    const written = JSON.stringify(await contentOf(table));
    expect(written).toContain('everybody');
    expect(written).not.toContain(secret);
  });

  test('deletes a flag that was deleted on a server without a search for events', async () => {
    const table = await emptyStore();
    const service = await freshService();
    const get = getFrom(service);
    const read = () =>
      readSource((path) =>
        path.includes('search/events') ? Promise.resolve({ status: 404, body: undefined }) : get(path),
      );
    await service.post('/api/admin/projects/default/features', { name: 'old' });
    expect((await write(table, await read())).find(({ kind }) => kind === 'flags')?.created).toEqual(['old']);
    await service.call('DELETE', '/api/admin/projects/default/features/old');
    await service.call('DELETE', '/api/admin/archive/old');
    expect((await write(table, await read())).find(({ kind }) => kind === 'deleted flags')?.changed).toEqual(['old']);
    const again = await write(table, await read());
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
  });

  test('reads updates with the same result as everything again', () => {
    const whole = ({ copy, missing: _missing, ...read }: SourceContent) => ({
      ...read,
      copied: [...copy.features(), ...copy.events()],
    });
    expect(whole(followed as SourceContent)).toEqual(whole(tuesday as SourceContent));
  });

  test.each([1, 8, 20])(
    'completes when it is run again after its store failed from transaction %i on',
    async (after) => {
      const table = await emptyStore();
      const fault = { request: 'TransactWriteItems', failure: 'server error', times: 1_000, after } as const;
      const [cut] = await withFault(table, fault, () => write(table, monday).catch(() => 'cut'));
      expect(cut).toBe('cut');
      await write(table, monday);
      await expectMoved(table, monday);
    },
  );
});

describe('a migration of a recorded server', () => {
  const namesIn = (outcome: Awaited<ReturnType<typeof write>>) =>
    Object.fromEntries(outcome.map(({ kind, created, changed }) => [kind, [...created, ...changed]]));

  test.each([
    { version: '7.6.5', server: unleash76 },
    { version: '8.2.0', server: unleash82 },
  ])('$version comes over as a whole, and again as nothing', async ({ version, server }) => {
    const recorded = await readSource(getAmong(server));
    expect(recorded.version).toBe(version);
    const table = await emptyStore();
    const outcome = await write(table, recorded);
    expect(outcome.flatMap(({ refused }) => refused)).toEqual([{ name: 'admin', reason: expect.any(String) }]);
    expect(namesIn(outcome)).toMatchObject({
      users: ['alice', 'bob@example.com'],
      segments: ['ofdefault', 'swiss'],
      'default strategies': ['default in production'],
      flags: ['checkout', 'old', 'parent', 'search'],
      'deleted flags': ['gone'],
      'SDK tokens': expect.arrayContaining(['server', 'all', 'page']),
      integrations: ['webhook: hook'],
    });
    expect(problemsOf(await contentOf(table))).toEqual([]);
    const again = await write(table, recorded);
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
  });

  test('imports the strategies and variants of an archived flag, which the server shows in parts', async () => {
    const list = '/api/admin/search/features?archived=IS:true&sortBy=name&limit=100&offset=0';
    const own = '/api/admin/projects/default/features/old/environments/production';
    const variants = [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }];
    const [old] = structuredClone(unleash76[list].features);
    const environments = [{ name: 'production', enabled: true, hasStrategies: true, variantCount: 1 }];
    const recorded = await readSource(
      getAmong({
        ...unleash76,
        [list]: { features: [{ ...old, environments }], total: 1 },
        [`${own}/strategies`]: [{ id: 'one', name: 'default' }],
        [`${own}/variants`]: { version: 1, variants },
      }),
    );
    const table = await emptyStore();
    await write(table, recorded);
    const moved = await readSource(getFrom(await serviceOn(table)));
    const shown = moved.copy.feature('old')?.content.environments;
    expect(shown).toContainEqual(
      expect.objectContaining({ strategies: [expect.objectContaining({ id: 'one' })], variants }),
    );
  });

  test('names the lifecycle of flags if the server has it switched off', async () => {
    const get = getAmong(unleash76);
    const without = (path: string) =>
      path.endsWith('/lifecycle') ? Promise.resolve({ status: 404, body: undefined }) : get(path);
    const [shown, hidden] = [await readSource(get), await readSource(without)];
    const lifecycles = ({ missing }: SourceContent) => missing.filter(({ path }) => path.endsWith('/lifecycle'));
    expect(lifecycles(shown)).toEqual([]);
    expect(new Set(lifecycles(hidden).map(({ consequence }) => consequence))).toEqual(
      new Set(['of the lifecycle of flags only its beginning']),
    );
  });

  test('of the Enterprise edition imports people and their rights, and names the parts that Flagstaff lacks', async () => {
    const recorded = await readSource(getAmong(enterpriseServer));
    const table = await emptyStore();
    const outcome = await write(table, recorded);
    expect(namesIn(outcome)).toMatchObject({
      environments: ['live'],
      roles: ['Releaser', 'Auditor'],
      users: ['alice', 'bob@example.com'],
      'service accounts': ['service-ci'],
      groups: ['Shop', 'Directory'],
      'members of groups': ['Shop (1)', 'Directory (1)'],
      projects: ['closed', 'shop'],
      'context fields': ['cart'],
      applications: ['till'],
      'default strategies': ['shop in live'],
      flags: ['cart'],
      'favourites of the reader': ['cart', 'shop'],
      'archived projects': ['closed'],
      banners: ['Maintenance', 'Over'],
      'release templates': ['Slowly'],
      'roles in projects': ['alice in shop', 'service-ci in shop', 'Shop in shop'],
    });
    // The directory finds a group with roles by this mapping.
    const mappings = (await groups.list(table)).map(({ name, mappingsSSO }) => [name, mappingsSSO]);
    expect(mappings).toEqual([
      ['Shop', ['shop']],
      ['Directory', ['Directory']],
    ]);
    expect(outcome.flatMap(({ refused, remarks }) => [...refused, ...remarks]).map(({ name }) => name)).toEqual([
      'Releaser',
      'service-ci',
      'Unreadable',
      'cart',
      'gone in shop',
      'passwords, personal tokens',
      '1 events of the type something-newer',
      'single sign-on by SAML',
      'single sign-on by OpenID Connect',
      'single sign-on by Google',
      'sign-in without passwords',
      'SCIM',
      'signal alarms',
      'invitation link everybody',
      'open change request Open the shop',
      'request for access carol@example.com',
      'counts of evaluations, sign-ins of the past',
    ]);
    expect(problemsOf(await contentOf(table))).toEqual([]);
    const service = await serviceOn(table);
    const shown = async (path: string) => (await service.get(`/api/admin/${path}`)).body;
    expect(await shown('roles/13')).toMatchObject({
      permissions: [{ name: 'CREATE_FEATURE' }, { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'live' }],
    });
    expect(await shown('roles/20')).toMatchObject({ type: 'root-custom', permissions: [{ name: 'READ_LOGS' }] });
    expect(await shown('user-admin/8')).toMatchObject({ email: 'bob@example.com', rootRole: 20 });
    expect(await shown('service-account')).toMatchObject({ serviceAccounts: [{ id: 9, name: 'CI', rootRole: 2 }] });
    expect(await shown('groups/3')).toMatchObject({ mappingsSSO: ['shop'], users: [{ user: { id: 7 } }] });
    expect(await shown('groups/4')).toMatchObject({ rootRole: 20, users: [{ user: { id: 8 } }] });
    expect(await shown('projects/shop/access')).toMatchObject({
      users: [
        { id: 7, rootRole: 3, roles: [4, 13] },
        { id: 9, accountType: 'Service Account', roles: [5] },
      ],
      groups: [{ id: 3, roles: [13] }],
    });
    expect(await shown('projects/shop/overview')).toMatchObject({
      ...{ description: 'Sells', mode: 'private', defaultStickiness: 'userId', featureLimit: 100 },
      featureNaming: { pattern: '^[a-z]+$', example: 'cart' },
      linkTemplates: [{ urlTemplate: 'https://example.com/{{feature}}' }],
      environments: [{ defaultStrategy: { parameters: { rollout: '50' } } }],
    });
    expect(await shown('projects/shop/context')).toMatchObject([{ name: 'cart', project: 'shop' }]);
    expect(await shown('metrics/applications/till')).toMatchObject({ description: 'In the shop' });
    expect(await shown('release-plan-templates/01JTEMPLATE')).toMatchObject({
      ...{ name: 'Slowly', description: '', project: null, createdByUserId: 7, archivedAt: null },
      milestones: [{ id: '01JMILESTONE', strategies: [{ id: '01JSTRATEGY', parameters: { rollout: '25' } }] }],
    });
    expect((await shown('banners')).banners).toMatchObject([
      { id: 1, state: 'shown', variant: 'warning', sticky: true, link: 'dialog', dialog: '**Nothing** is lost' },
      { id: 2, state: 'off' },
    ]);
    expect((await shown('environments/live')).requiredApprovals).toBe(2);
    expect(await shown('projects/shop/change-requests/config')).toMatchObject([
      { environment: 'live', changeRequestEnabled: true, requiredApprovals: 3 },
    ]);
    const flag = await shown('projects/shop/features/cart');
    expect([flag.createdBy.id, flag.lifecycle.stage, flag.lastSeenAt]).toEqual([7, 'live', '2024-01-02T03:04:05.678Z']);
    const [state] = flag.environments;
    expect(state.strategies.map(({ id }: { id: string }) => id)).toEqual(['one']);
    expect(state.releasePlans).toMatchObject([
      {
        ...{ id: 'y', name: 'Slowly', releasePlanTemplateId: '01JTEMPLATE', activeMilestoneId: 'm1', nextAt: null },
        milestones: [
          {
            ...{ id: 'm1', startedAt: '2024-01-02T03:04:05.678Z', pausedAt: '2024-01-02T03:04:05.678Z' },
            ...{ transitionCondition: { intervalMinutes: 10 }, strategies: [{ id: 'first' }] },
          },
          { id: 'm2', strategies: [{ id: 'last' }] },
        ],
      },
    ]);
    const { body: delivered } = await service.get(
      '/api/admin/projects/shop/features/cart/environments/live/strategies',
    );
    expect(delivered.map(({ id }: { id: string }) => id)).toEqual(['first', 'one']);
    const again = await write(table, recorded);
    expect(again.flatMap(({ created, changed }) => [...created, ...changed])).toEqual([]);
  });

  test('of a release plan without its milestones keeps the current strategies of the flag', async () => {
    const get = getAmong(enterpriseServer);
    const recorded = await readSource(async (path) => {
      const answer = await get(path);
      return path.includes('/cart?') ? { ...answer, body: withoutMilestones(answer.body) } : answer;
    });
    const table = await emptyStore();
    const outcome = await write(table, recorded);
    expect(outcome.flatMap(({ remarks }) => remarks)).toContainEqual({
      name: 'cart',
      reason: 'without its release plan: it keeps its current strategies',
    });
    const service = await serviceOn(table);
    const { body } = await service.get('/api/admin/projects/shop/features/cart');
    expect(body.environments).toMatchObject([{ strategies: [{ id: 'first' }, { id: 'one' }], releasePlans: [] }]);
  });

  test('of the Enterprise edition without a search for change requests names the open ones of its projects', async () => {
    const get = getAmong(enterpriseServer);
    const older = await readSource((path) =>
      path.includes('search/change-requests') ? Promise.resolve({ status: 404, body: undefined }) : get(path),
    );
    const open = older.absent.filter(({ name }) => name.startsWith('open change request'));
    expect(open.map(({ name }) => name)).toEqual(['open change request Open the shop']);
  });
});
