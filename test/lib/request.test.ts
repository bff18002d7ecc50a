import { beforeAll, expect, test } from 'vitest';
import { contextFields } from '../../lib/context-fields/context-fields.ts';
import { loadNewestEvents } from '../../lib/events/event-log.ts';
import { listFeatureEvents } from '../../lib/features/feature-event-store.ts';
import { loadFeature, loadFeatureIn, loadHeads, loadWholeFeature } from '../../lib/features/feature-store.ts';
import { loadAllReadModels, loadReadModel, loadReadModels } from '../../lib/features/read-model/read-model.ts';
import { loadMembers } from '../../lib/identity/accounts.ts';
import { listProjectIds, projects } from '../../lib/projects/projects.ts';
import { type Request, withAllProjects } from '../../lib/request.ts';
import { segments } from '../../lib/segments/segments.ts';
import { findTag, listKnownTags } from '../../lib/tags/tags.ts';
import { freshService } from '../harness/service.ts';
import { World } from '../harness/world.ts';

const project = 'hush-project';
let request: Request;
/** Everything that a request may read, by what reads it, as a text. */
let reads: Readonly<Record<string, (request: Request) => Promise<unknown>>>;

beforeAll(async () => {
  const service = await freshService();
  const world = new World(service);
  const path = `/api/admin/projects/${project}`;
  const tag = { type: 'simple', value: 'hush-tag' };
  await world.ask('POST', '/api/admin/projects', { id: project, name: 'Hush' });
  await world.ask('POST', `${path}/features`, { name: 'hush-feature', tags: [tag] });
  await world.ask('POST', `${path}/context`, { name: 'hush-field' });
  await world.user({ inProject: { project, role: 'Owner' } });
  const shared = await world.segment();
  await world.segment({ name: 'hush-segment', project });
  const strategy = { name: 'default', segments: [shared.id] };
  await world.ask('POST', `${path}/features/hush-feature/environments/development/strategies`, strategy);
  request = { ...service.table, hiddenProjects: new Set([project]) };
  const name = 'hush-feature';
  reads = {
    'the ids of projects': listProjectIds,
    'a project': (by) => projects.find(by, project),
    'a feature': (by) => loadFeature(by, name),
    'a feature in an environment': (by) => loadFeatureIn(by, name, ['development']),
    'a feature with all its items': (by) => loadWholeFeature(by, name),
    'features by name': async (by) => [...(await loadHeads(by, [name]))],
    'a read model': async (by) => [...(await loadReadModel(by, project)).features],
    readModels: async (by) => (await loadReadModels(by, [project])).map(({ project: id }) => id),
    'the tags of a type': (by) => listKnownTags(by, tag.type),
    'a tag': (by) => findTag(by, tag),
    'segments by name': async (by) => [...(await segments.findHolders(by, 'name', ['hush-segment']))],
    'the users of a segment': (by) => segments.listReferrers(by, shared.id),
    'context fields': (by) => contextFields.list(by),
    'members with their roles': loadMembers,
    'the audit log': (by) => loadNewestEvents(by, undefined, 100),
    'the events of a feature': (by) => listFeatureEvents(by, name, {}),
  };
});

const textOf = async (read: Promise<unknown>) => JSON.stringify((await read) ?? null);

test('No read returns anything of a hidden project, unless the request sees all projects', async () => {
  for (const [what, read] of Object.entries(reads)) {
    expect(await textOf(read(request)), what).not.toMatch(/hush/i);
    expect(await textOf(read(withAllProjects(request))), what).toContain('hush');
  }
});

test('A decision that depends on all features also reads those of hidden projects', async () => {
  expect((await loadAllReadModels(request)).map(({ project: id }) => id)).toContain(project);
});
