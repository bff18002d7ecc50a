import { describe, expect, test } from 'vitest';
import { newTokenOf } from '../../harness/features.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { contentOf } from '../../harness/items.ts';
import type { Reply } from '../../harness/service.ts';
import { type Stuck, stuckAfter } from '../../harness/stuck.ts';
import { readModelProblems } from '../../invariants/read-models.ts';
import { worldForEach } from '../../specifications/specify.ts';

const { service, world } = worldForEach();

/** A thing that is removed, and created again under the same name meanwhile. */
interface Removed {
  readonly path: string;
  /** Creates the thing and all its possible belongings. */
  readonly make: (options?: { readonly isLast: boolean }) => Promise<void>;
  /** Reads its belongings, as callers see them. */
  readonly see: () => Promise<unknown>;
}

/** More transactions than the removal of the things of `make` takes. */
const stepsMax = 40;

/** Proves that a removal deletes the belongings of its thing, and none of a later thing with the same name. */
function sparesTheNext(prepare: () => Promise<Removed>): void {
  test('by processes that were stuck before each of its writes, and by a repeat with its key', async () => {
    const removed = await prepare();
    const remove = (key: string) => service.call('DELETE', removed.path, { headers: { 'idempotency-key': key } });
    const processes: Stuck<Reply>[] = [];
    /**
     * The first process is stuck when it deletes the thing, before it has done anything. Each further process is a repeat
     * that does one write more and is stuck before the next one.
     */
    const removeBy = async (key: string, processesMax: number) => {
      for (let count = 0; count < processesMax; count += 1) {
        const process = await stuckAfter(service.table, 1, () => remove(key));
        processes.push(process);
        if (!process.isStuck) return count;
      }
      return processesMax;
    };
    await removed.make();
    // The request that creates the next thing removes the rest.
    expect(await removeBy('cut-off', 1)).toBe(1);
    await removed.make();
    const stuck = await removeBy('whole', stepsMax);
    expect(stuck).toBeGreaterThan(1);
    expect(stuck).toBeLessThan(stepsMax);
    await removed.make({ isLast: true });
    const before = await removed.see();
    for (const key of ['cut-off', 'whole']) expect(await remove(key)).toMatchObject({ status: 200, text: '' });
    for (const process of processes) expect(await process.goOn()).toMatchObject({ status: 200, text: '' });
    for (const key of ['cut-off', 'whole']) {
      expect((await remove(key)).headers).toMatchObject({ 'idempotent-replayed': 'true' });
    }
    expect(await removed.see()).toEqual(before);
    expect(readModelProblems(await contentOf(service.table))).toEqual([]);
  });
}

const bodyOf = async (path: string) => (await service.get(`/api/admin${path}`)).body;

describe('The deletion of a project does not touch the next project with its id', () => {
  sparesTheNext(async () => {
    const id = world.name('space');
    return {
      path: `/api/admin/projects/${id}`,
      async make({ isLast } = { isLast: false }) {
        await world.ask('POST', '/api/admin/projects', { id, name: 'Space', environments: ['development'] });
        const parked = await world.feature({ project: id, archived: true, strategies: [{ name: 'default' }] });
        // Only the last thing may have something that prevents a deletion.
        if (isLast) await world.feature({ project: id, on: true });
        await world.segment({ project: id });
        await world.ask('POST', `/api/admin/projects/${id}/context`, { name: world.name('field') });
        const strategy = `/api/admin/projects/${id}/environments/development/default-strategy`;
        await world.ask('POST', strategy, { name: 'flexibleRollout' });
        await world.clientToken({ projects: [id] });
        await world.clientToken({ projects: [id, 'default'] });
        await newTokenOf(service, { username: world.name('owner'), inProject: { project: id, role: 'Owner' } });
        expect(parked.place.projectId).toBe(id);
      },
      async see() {
        const [features, archived, segments, context, environments, tokens, access] = await Promise.all([
          bodyOf(`/projects/${id}/features`),
          bodyOf(`/archive/features/${id}`),
          bodyOf('/segments'),
          bodyOf(`/projects/${id}/context`),
          bodyOf(`/environments/project/${id}`),
          bodyOf('/api-tokens'),
          bodyOf('/user-admin/access'),
        ]);
        const { development } = await readEnvironments(service);
        const isOwn = ({ project, projects }: { project?: string; projects?: string[] }) =>
          project === id || projects?.includes(id);
        return {
          features,
          archived,
          context,
          environments,
          access,
          counts: development,
          segments: segments.segments.filter(isOwn),
          tokens: tokens.tokens.filter(isOwn),
        };
      },
    };
  });
});

/** Reads a feature in an environment. */
const stateIn = async (project: string, feature: string, environment: string) => {
  const { environments } = await bodyOf(`/projects/${project}/features/${feature}`);
  return environments.find(({ name }: { name: string }) => name === environment);
};

describe('The deletion of an environment does not touch the next environment with its name', () => {
  sparesTheNext(async () => {
    const name = world.name('space');
    const project = await world.project();
    let feature = '';
    return {
      path: `/api/admin/environments/${name}`,
      async make() {
        await world.ask('POST', '/api/admin/environments', { name, type: 'test' });
        const defaultStrategy = { name: 'flexibleRollout' };
        await world.ask('POST', `/api/admin/projects/${project}/environments`, { environment: name, defaultStrategy });
        const strategies = Array.from({ length: 6 }, () => ({ name: 'default' }));
        const variants = [{ name: 'a', weight: 1000, weightType: 'variable' }];
        const [made] = await world.features(2, { project, environment: name, on: true, strategies, variants });
        feature = made?.name ?? '';
        await world.clientToken({ environment: name });
      },
      async see() {
        const { tokens } = await bodyOf('/api-tokens');
        return {
          tokens: tokens.filter(({ environment }: { environment: string }) => environment === name),
          counts: (await readEnvironments(service))[name],
          state: await stateIn(project, feature, name),
          environments: await bodyOf(`/environments/project/${project}`),
        };
      },
    };
  });
});

describe('The removal of an environment from a project does not touch the environment after it is added again', () => {
  sparesTheNext(async () => {
    const name = await world.environment();
    const project = await world.project();
    const { name: feature } = await world.feature({ project });
    return {
      path: `/api/admin/projects/${project}/environments/${name}`,
      async make() {
        await world.ask('POST', `/api/admin/projects/${project}/environments`, { environment: name });
        const path = `/api/admin/projects/${project}/features/${feature}/environments/${name}`;
        await world.ask('POST', `${path}/on`, {});
      },
      async see() {
        const counts = (await readEnvironments(service))[name];
        return [counts, await stateIn(project, feature, name)];
      },
    };
  });
});
