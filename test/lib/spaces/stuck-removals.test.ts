import { beforeEach, describe, expect, test } from 'vitest';
import { tokenOf } from '../../harness/features.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { shelfProblems } from '../../harness/shelf-agreement.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { World } from '../../harness/world.ts';
import { contentOf } from '../../prove/crash/content.ts';

let service: Service;
let world: World;
beforeEach(async () => {
  service = await freshService();
  world = new World(service);
});

/** What is removed, and comes again under the same name while that is under way. */
interface Removed {
  readonly path: string;
  /** Creates it, and all that can belong to it. */
  readonly make: () => Promise<void>;
  /** All that belongs to it, as callers see it. */
  readonly see: () => Promise<unknown>;
}

/** More than a removal of what `make` makes takes. */
const stepsMax = 40;

/** Proves that a removal takes what belonged to the thing that it was asked for, and nothing of the next one of the name. */
function sparesTheNext(prepare: () => Promise<Removed>): void {
  test('by a process that was stuck before any of its steps, and by a repeat with its key', {
    timeout: 120_000,
  }, async () => {
    let steps = 1;
    for (; steps < stepsMax; steps += 1) {
      const removed = await prepare();
      await removed.make();
      const headers = { 'idempotency-key': `step-${steps}` };
      const remove = () => service.call('DELETE', removed.path, { headers });
      // Before its first step it has done nothing; so it may as well come after all of this.
      const process = await stuckAfter(service.table, steps, remove);
      if (!process.isStuck) break;
      await removed.make();
      const before = await removed.see();
      expect(await remove()).toMatchObject({ status: 200, text: '' });
      expect(await process.goOn()).toMatchObject({ status: 200, text: '' });
      expect((await remove()).headers).toMatchObject({ 'idempotent-replayed': 'true' });
      expect(await removed.see()).toEqual(before);
    }
    expect(steps).toBeGreaterThan(1);
    expect(steps).toBeLessThan(stepsMax);
    expect(shelfProblems(await contentOf(service.table))).toEqual([]);
  });
}

const bodyOf = async (path: string) => (await service.get(`/api/admin${path}`)).body;

describe('The deletion of a project spares the next one of its id', () => {
  sparesTheNext(async () => {
    const id = world.name('space');
    let count = 0;
    return {
      path: `/api/admin/projects/${id}`,
      async make() {
        count += 1;
        await world.ask('POST', '/api/admin/projects', { id, name: 'Space', environments: ['development'] });
        const parked = await world.feature({ project: id, archived: true, strategies: [{ name: 'default' }] });
        // Only the later one may have what is in the way of a deletion.
        if (count > 1) await world.feature({ project: id, on: true });
        await world.segment({ project: id });
        await world.ask('POST', `/api/admin/projects/${id}/context`, { name: world.name('field') });
        const strategy = `/api/admin/projects/${id}/environments/development/default-strategy`;
        await world.ask('POST', strategy, { name: 'default' });
        await world.clientToken({ projects: [id] });
        await world.clientToken({ projects: [id, 'default'] });
        await tokenOf(service, { username: world.name('owner'), inProject: { project: id, role: 'Owner' } });
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

/** A feature in an environment, as it is shown there. */
const stateIn = async (project: string, feature: string, environment: string) => {
  const { environments } = await bodyOf(`/projects/${project}/features/${feature}`);
  return environments.find(({ name }: { name: string }) => name === environment);
};

describe('The deletion of an environment spares the next one of its name', () => {
  sparesTheNext(async () => {
    const name = world.name('space');
    const project = await world.project();
    let feature = '';
    return {
      path: `/api/admin/environments/${name}`,
      async make() {
        await world.ask('POST', '/api/admin/environments', { name, type: 'test' });
        const defaultStrategy = { name: 'default' };
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

describe('The removal of an environment from a project spares it when it is added again', () => {
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
