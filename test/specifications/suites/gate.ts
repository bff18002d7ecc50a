import { expect, test } from 'vitest';
import { loadSnapshot } from '../../../lib/delivery/snapshot/load-snapshot.ts';
import { isMutation, statusOf } from '../../../lib/http/declaration.ts';
import { audienceOf } from '../../../lib/http/middleware/authenticate.ts';
import type { Request } from '../../../lib/request.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { type Protected, protectEverything, unprotect } from '../../harness/protection.ts';
import { freshService, type Reply } from '../../harness/service.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { World } from '../../harness/world.ts';
import { exampleOf } from '../example.ts';
import type { Trial } from '../trial.ts';

/**
 * Operations of which the examples need approval, though SDKs get nothing else by them at once: on what is to come, and on
 * the part of strategies that people alone see, which those who approve have seen as well.
 */
const furtherOnes = [
  ...['addDefaultStrategyToProjectEnvironment', 'removeEnvironmentFromProject'],
  ...['patchFeatureStrategy', 'setStrategySortOrder'],
  ...['setMilestoneProgression', 'removeMilestoneProgression', 'resumeMilestoneProgressions'],
  ...['deleteReleasePlanSafeguard', 'setFeatureEnvironmentSafeguard', 'deleteFeatureEnvironmentSafeguard'],
];

/** The operation that makes changes which were approved, and the beginning of its requests that do. */
const applying = { operationId: 'updateChangeRequestState', title: 'applies' };

/**
 * Tests that an operation changes what SDKs get only where that needs no approval, and is held back only for what would
 * change that.
 */
export function testGate(trial: Trial): void {
  const { specification, declaration } = trial;
  if (!isMutation(declaration) || audienceOf(declaration.path) !== 'admin') return;
  const titles = Object.keys(specification.others ?? {});
  const isHeld = (title: string) =>
    specification.operationId !== applying.operationId || !title.startsWith(applying.title);
  const requests = [
    ['its request', undefined],
    ...titles.filter(isHeld).map((title) => [title, title] as const),
  ] as const;
  test.each(requests)(
    'changes nothing that SDKs get where changes need approval, or is refused whole: %s',
    async (_what, title) => {
      const service = await freshService();
      const example = await exampleOf(specification, new World(service), title);
      const places = await protectEverything(service.table);
      const before = await deliveredIn(service.table, places);
      const { method, target, body, headers } = example;
      const { authorization = service.adminToken, ...others } = headers;
      const send = () => service.call(method, target, { body, headers: others, token: authorization });
      const replies: Reply[] = [];
      const requests = await recordStoreRequests(service.table, async () => replies.push(await send()));
      const [reply] = replies as [Reply];
      expect(await deliveredIn(service.table, places)).toEqual(before);
      if (reply.status !== 403) return expect(reply.status, reply.text).toBe(statusOf(declaration));
      expect(reply.body).toMatchObject({ name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] });
      expect(requests.filter(({ command }) => command === 'TransactWrite')).toEqual([]);
      // It would have changed something.
      await unprotect(service.table, places);
      expect((await send()).status).toBe(statusOf(declaration));
      if (!furtherOnes.includes(specification.operationId)) {
        expect(await deliveredIn(service.table, places)).not.toEqual(before);
      }
    },
  );
}

/** Returns the part of features on which decisions of SDKs rest, as a process gets it that remembers nothing. */
async function deliveredIn(table: Request, places: readonly Protected[]) {
  return Promise.all(
    places.map(async ({ projectId, environment }) => {
      const { features, segments } = await loadSnapshot(anotherProcess(table), { projects: [projectId], environment });
      const deciding = features.flatMap(
        ({ type: _type, description: _text, stale: _stale, impressionData: _data, ...feature }) => {
          const { enabled, strategies, variants, dependencies = [] } = feature;
          return enabled || strategies.length + variants.length + dependencies.length > 0 ? [feature] : [];
        },
      );
      const constraints = [...segments.values()].map(({ id, constraints }) => ({ id, constraints }));
      return { projectId, environment, features: deciding, segments: constraints };
    }),
  );
}
