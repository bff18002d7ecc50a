import { beforeEach, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { type Declaration, type Endpoint, permissionsOf } from '../../../lib/http/declaration.ts';
import { type Permission, permissionKind, permissions } from '../../../lib/users/permission-table.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';

/** Every operation whose permission follows from its path, with a caller for each permission that there is. */
const operations = Object.entries(registry as Record<string, Endpoint>)
  .map(([operationId, { declaration }]): Declaration & { operationId: string } => ({ operationId, ...declaration }))
  .filter((each) => permissionsOf(each).length > 0 && each.authorizedBy === undefined);

let service: Service;
let world: World;
/** The secrets of those that there are already, by what they may do. */
let holders: Map<string, Promise<string>>;
beforeEach(async () => {
  service = await freshService();
  world = new World(service);
  holders = new Map();
});

/** The secret of somebody who has a role with these permissions alone, those of projects in `default` only. */
function holderOf(held: readonly { name: Permission; environment?: string }[]): Promise<string> {
  const id = JSON.stringify(held);
  const holder = holders.get(id) ?? newHolder(held);
  holders.set(id, holder);
  return holder;
}

async function newHolder(held: readonly { name: Permission; environment?: string }[]): Promise<string> {
  const ofRoot = held.filter(({ name }) => permissionKind(name) === 'root');
  const ofProject = held.filter(({ name }) => permissionKind(name) !== 'root');
  const rootRole = ofRoot.length === 0 ? 3 : await world.role({ type: 'root-custom', permissions: ofRoot });
  const inProject = ofProject.length === 0 ? [] : [await world.role({ permissions: ofProject })];
  return world.tokenOfRole(rootRole, [{ project: 'default', roles: inProject }]);
}

/** Whether a caller is let in, whatever comes of a request about things that are not there. */
async function isLetIn(
  { method, path }: Declaration,
  token: string,
  { project = 'default', environment = 'development' } = {},
): Promise<boolean> {
  const target = path
    .replace('{projectId}', project)
    .replace('{environment}', environment)
    .replaceAll(/\{\w+\}/g, '999999');
  return (await service.call(method, target, { token })).status !== 403;
}

test('Every operation is open to who has one of its permissions and nothing else, and closed to who has all others', async () => {
  const wrong: string[] = [];
  expect(operations.length).toBeGreaterThan(100);
  for (const operation of operations) {
    const anyOf = permissionsOf(operation);
    // Without a project in the path, a permission of projects must hold in all of them.
    const isOfProject = operation.path.includes('{projectId}');
    for (const name of anyOf.filter((each) => isOfProject || permissionKind(each) === 'root')) {
      const token = await holderOf([{ name }]);
      if (!(await isLetIn(operation, token))) wrong.push(`${operation.operationId} is closed to ${name}`);
    }
    const key = anyOf.join();
    const others = permissions.filter((name) => name !== 'ADMIN' && !anyOf.includes(name)).map((name) => ({ name }));
    const stranger = await holderOf(others);
    if (await isLetIn(operation, stranger)) wrong.push(`${operation.operationId} is open to who lacks ${key}`);
  }
  expect(wrong).toEqual([]);
});

test('A permission in a project is worth nothing in another one, and one in an environment nothing elsewhere', async () => {
  const other = await world.project();
  const wrong: string[] = [];
  for (const operation of operations) {
    const [name] = permissionsOf(operation);
    if (name === undefined || permissionKind(name) === 'root' || !operation.path.includes('{projectId}')) continue;
    const isOfEnvironment = permissionKind(name) === 'environment';
    const token = await holderOf([{ name, ...(isOfEnvironment && { environment: 'development' }) }]);
    const expected = { here: true, inOtherProject: false, elsewhere: !isOfEnvironment };
    const found = {
      here: await isLetIn(operation, token),
      inOtherProject: await isLetIn(operation, token, { project: other }),
      elsewhere: await isLetIn(operation, token, { environment: 'production' }),
    };
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      wrong.push(`${operation.operationId}: ${JSON.stringify(found)}`);
    }
  }
  expect(wrong).toEqual([]);
});
