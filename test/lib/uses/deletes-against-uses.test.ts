import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tag } from '../../../lib/schemas/tag.ts';
import { keys } from '../../../lib/table/keys.ts';
import { referenceProblems } from '../../harness/agreement.ts';
import { paths } from '../../harness/features.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { shelfProblems } from '../../harness/shelf-agreement.ts';
import { underStoreRules } from '../../harness/store-rules.ts';
import { World } from '../../harness/world.ts';
import { contentOf } from '../../prove/crash/content.ts';

const project = fc.constantFrom('default', 'project-1');
const feature = fc.constantFrom('feature-1', 'feature-2');
const type = fc.constantFrom('team', 'area');
const tag = fc.record({ type, value: fc.constantFrom('one', 'two') });
const segment = fc.integer({ min: 1, max: 4 });

/** Uses of things, and their deletions, by the requests that these are. */
const request = fc.oneof(
  fc.record({ feature, tag }).map(({ feature: name, tag: body }) => ({ send: `POST ${paths.tags(name)}`, body })),
  fc.record({ feature, tag }).map(({ feature: name, tag: { type: of, value } }) => ({
    send: `DELETE ${paths.tags(name)}/${of}/${value}`,
  })),
  fc.record({ project, tags: fc.array(tag, { maxLength: 2 }) }).map(({ project: id, tags }) => ({
    send: `PUT /api/admin/projects/${id}/tags`,
    body: { features: ['feature-1'], tags: { addedTags: tags, removedTags: [] } },
  })),
  tag.map((body) => ({ send: 'POST /api/admin/tags', body })),
  tag.map(({ type: of, value }) => ({ send: `DELETE /api/admin/tags/${of}/${value}` })),
  type.map((name) => ({ send: `DELETE /api/admin/tag-types/${name}` })),
  type.map((name) => ({ send: 'POST /api/admin/tag-types', body: { name } })),
  fc.record({ project, feature, ids: fc.uniqueArray(segment, { maxLength: 2 }) }).map((use) => ({
    send: `POST ${paths.strategies(use.feature, 'development', use.project)}`,
    body: { name: 'default', segments: use.ids },
  })),
  fc.record({ project, ids: fc.uniqueArray(segment, { maxLength: 2 }) }).map((use) => ({
    send: `POST /api/admin/projects/${use.project}/environments/development/default-strategy`,
    body: { name: 'flexibleRollout', segments: use.ids },
  })),
  segment.map((id) => ({ send: `DELETE /api/admin/segments/${id}` })),
  fc.record({ id: segment, name: fc.constantFrom('red', 'blue') }).map(({ id, name }) => ({
    send: `PUT /api/admin/segments/${id}`,
    body: { name, constraints: [] },
  })),
  fc.constantFrom('red', 'blue').map((name) => ({ send: 'POST /api/admin/segments', body: { name, constraints: [] } })),
  fc.record({ feature, from: project, to: project }).map((move) => ({
    send: `POST ${paths.feature(move.feature, move.from)}/changeProject`,
    body: { newProjectId: move.to },
  })),
  fc.record({ feature, project }).map((each) => ({ send: `DELETE ${paths.feature(each.feature, each.project)}` })),
  feature.map((name) => ({ send: `POST ${paths.revived(name)}` })),
  feature.map((name) => ({ send: `DELETE ${paths.deleted(name)}` })),
  fc.record({ feature, project }).map((each) => ({
    send: `POST /api/admin/projects/${each.project}/features`,
    body: { name: each.feature, type: 'release' },
  })),
);

/** Refusals for reasons that other requests may bring about. */
const refusals = [400, 404, 409];

async function danglingIn(service: Service): Promise<string[]> {
  const read = async (path: string) => (await service.get(`/api/admin${path}`)).body;
  const [{ tagTypes }, { tags }, { segments }] = await Promise.all(['/tag-types', '/tags', '/segments'].map(read));
  const types = new Set(tagTypes.map(({ name }: { name: string }) => name));
  const known = new Set(tags.map((each: Tag) => `${each.type}:${each.value}`));
  const ids = new Set(segments.map(({ id }: { id: number }) => id));
  const items = await contentOf(service.table);
  const live = items.filter(({ pk, sk }) => pk.startsWith('FEATURE#') && sk === 'FEATURE');
  const ofTags = live.flatMap(({ pk, tags: text = '[]' }) =>
    (JSON.parse(String(text)) as Tag[])
      .filter((each) => !types.has(each.type) || !known.has(`${each.type}:${each.value}`))
      .map((each) => `${pk} has the tag ${each.type}:${each.value}, which is gone.`),
  );
  const ofStrategies = items.flatMap(({ pk, sk, strategies }) =>
    (JSON.parse(String(strategies ?? '[]')) as { segments?: number[] }[])
      .flatMap(({ segments: used = [] }) => used)
      .filter((id) => !ids.has(id))
      .map((id) => `${pk} ${sk} uses the segment ${id}, which is gone.`),
  );
  const places = { segment: (id: string) => keys.segment(Number(id)) };
  return [...ofTags, ...ofStrategies, ...referenceProblems(items, places), ...shelfProblems(items)];
}

test('Tags, tag types, segments and features that are used, changed, moved and deleted at once leave nothing dangling', {
  timeout: 120_000,
}, async () => {
  const rounds = fc.array(fc.array(request, { minLength: 4, maxLength: 10 }), {
    minLength: 4,
    maxLength: 8,
    size: 'max',
  });
  let conflicts = 0;
  const answered = new Set<number>();
  const agree = fc.asyncProperty(rounds, async (plan) => {
    const service = await freshService();
    const world = new World(service);
    await world.project();
    for (const name of ['team', 'area']) await world.ask('POST', '/api/admin/tag-types', { name });
    await world.features(2);
    for (let count = 0; count < 2; count += 1) await world.segment();
    using rules = underStoreRules(service.table, { inFlightMs: 2 });
    for (const round of plan) {
      const answers = await Promise.all(
        round.map(({ send, ...more }) => {
          const [method = '', path = ''] = send.split(' ');
          return service.call(method, path, 'body' in more ? { body: more.body } : {});
        }),
      );
      for (const { status, text } of answers) {
        answered.add(status);
        if (status >= 300) expect(refusals, text).toContain(status);
      }
      expect(await danglingIn(service)).toEqual([]);
    }
    conflicts += rules.counts.conflicts;
  });
  await fc.assert(agree, { numRuns: 4, endOnFailure: true });
  expect(conflicts).toBeGreaterThan(0);
  expect(answered).toContain(409);
});
