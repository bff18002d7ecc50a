import { beforeAll, describe, expect, test } from 'vitest';
import { copyStore } from '../../../lib/backup/copy-store.ts';
import { WorkingCopy } from '../../../lib/backup/working-copy.ts';
import { createRequest, type Request } from '../../../lib/request.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import { type RawItem, scanPages, writeBatch } from '../../../lib/store/raw-items.ts';
import { interceptRequests } from '../../harness/intercept.ts';
import { changesBetween, contentOf, type Item } from '../../harness/items.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { World } from '../../harness/world.ts';
import { problemsOf } from '../../invariants/problems.ts';

const startProgress = () => ({ advance() {}, [Symbol.dispose]() {} });

/** Changes features of several projects, and everything that belongs to them; each step is a request. */
async function* changes({ call }: Service): AsyncGenerator<void> {
  async function ask(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }
  for (let turn = 0; ; turn += 1) {
    const [parent, name, type] = [`parent-${turn % 3}`, `child-${turn}`, `type-${turn}`];
    const [own, other] = [`project-${(turn % 3) + 1}`, `project-${((turn + 1) % 3) + 1}`];
    const at = (project: string, feature: string) => `/api/admin/projects/${project}/features/${feature}`;
    if (turn < 3) yield await ask('POST', `/api/admin/projects/${own}/features`, { name: parent });
    yield await ask('POST', `/api/admin/projects/${own}/features`, { name });
    const { id } = await ask('POST', '/api/admin/segments', { name: `of-${name}`, constraints: [] });
    const strategy = { name: 'flexibleRollout', segments: [id] };
    yield await ask('POST', `${at(own, name)}/environments/development/strategies`, strategy);
    yield await ask('POST', `${at(own, name)}/environments/development/on`);
    yield await ask('POST', '/api/admin/tag-types', { name: type });
    yield await ask('POST', `/api/admin/features/${name}/tags`, { type, value: 'beta' });
    yield await ask('POST', `${at(own, name)}/dependencies`, { feature: parent });
    yield await ask('DELETE', `${at(own, name)}/dependencies`);
    yield await ask('POST', `${at(own, name)}/changeProject`, { newProjectId: other });
    yield await ask('DELETE', at(other, name));
    yield await ask('DELETE', `/api/admin/archive/${name}`);
    yield await ask('DELETE', `/api/admin/segments/${id}`);
  }
}

/** The same store, with a change after each of the first read requests. */
function changing({ store: { name } }: Request, steps: AsyncGenerator): Request {
  const table = createRequest(openStore({ name, endpoint: storeEndpoint() }));
  let [last, requests]: [Promise<unknown>, number] = [Promise.resolve(), 0];
  interceptRequests(table, async (_call, next) => {
    const answer = await next();
    requests += 1;
    if (requests <= 80) last = last.then(() => steps.next());
    await last;
    return answer;
  });
  return table;
}

/** Large items before, between and after those of features, so that reads need several pages. */
const ballast = ['A', 'FEATURE~', 'PROJECT~', 'SEGMENTS~', 'ZZZ'].flatMap((pk) =>
  Array.from({ length: 5 }, (_, index): RawItem => ({ pk, sk: String(index), text: 'x'.repeat(300_000) })),
);
const isBallast = ({ text }: Item) => text !== undefined;
/** A count of 0, such as that of a thing that was created and deleted during the read, equals a missing one. */
const isOfNothing = (change: string) => change.startsWith('- {"amount":0,');

describe('A copy of a store that others write to', () => {
  let service: Service;
  beforeAll(async () => {
    service = await freshService();
    const world = new World(service);
    for (let count = 0; count < 3; count += 1) await world.project();
    // The remaining items of a deleted project, from which a feature was moved.
    const from = await world.project();
    const { name } = await world.feature({ project: from });
    await service.post(`/api/admin/projects/${from}/features/${name}/changeProject`, { newProjectId: 'project-1' });
    await service.call('DELETE', `/api/admin/projects/${from}`);
    for (const item of ballast) await writeBatch(service.table, [item]);
  });

  test('shows one moment, although a single read of the store shows parts of transactions', async () => {
    const steps = changes(service);
    const read = (await Array.fromAsync(scanPages(changing(service.table, steps)))).flat() as Item[];
    expect(problemsOf(read.filter((item) => !isBallast(item)))).not.toEqual([]);
    using copy = new WorkingCopy();
    await copyStore(changing(service.table, steps), copy, startProgress);
    const items = [...copy.items()].map(({ item }): Item => JSON.parse(item));
    const content = await contentOf(service.table);
    expect(changesBetween(content, items).filter((change) => !isOfNothing(change))).toEqual([]);
    expect(problemsOf(items.filter((item) => !isBallast(item)))).toEqual([]);
  });
});
