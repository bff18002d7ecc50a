import { expect, test } from 'vitest';
import { snapshotOf } from '../../../lib/delivery/snapshot/snapshot.ts';
import { isMutation, statusOf } from '../../../lib/http/declaration.ts';
import { audienceOf } from '../../../lib/http/middleware/authenticate.ts';
import type { Request } from '../../../lib/request.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { type Protected, protectEverything } from '../../harness/protection.ts';
import { freshService } from '../../harness/service.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { World } from '../../harness/world.ts';
import { exampleOf } from '../example.ts';
import type { Trial } from '../trial.ts';

/** Tests that an operation changes what SDKs get only where that needs no approval. */
export function testGate(trial: Trial): void {
  const { specification, declaration } = trial;
  if (!isMutation(declaration) || audienceOf(declaration.path) !== 'admin') return;
  const { others = {} } = specification;
  test.each([undefined, ...Object.keys(others)])(
    'changes nothing that SDKs get where changes need approval, or is refused whole: %s',
    async (title) => {
      const service = await freshService();
      const example = await exampleOf(specification, new World(service), title);
      const places = await protectEverything(service.table);
      const before = await deliveredIn(service.table, places);
      const {
        method,
        target,
        body,
        headers: { authorization = service.adminToken, ...headers },
      } = example;
      let reply = await service.get('/api/admin/user');
      const requests = await recordStoreRequests(service.table, async () => {
        reply = await service.call(method, target, { body, headers, token: authorization });
      });
      expect(await deliveredIn(service.table, places)).toEqual(before);
      if (reply.status !== 403) return expect(reply.status, reply.text).toBe(statusOf(declaration));
      expect(reply.body).toMatchObject({ name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] });
      expect(requests.filter(({ command }) => command === 'TransactWrite')).toEqual([]);
    },
  );
}

/** Returns the part of features on which decisions of SDKs rest, as a process gets it that remembers nothing. */
async function deliveredIn(table: Request, places: readonly Protected[]) {
  return Promise.all(
    places.map(async ({ projectId, environment }) => {
      const { features, segments } = await snapshotOf(anotherProcess(table), { projects: [projectId], environment });
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
