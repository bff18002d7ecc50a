import { beforeAll, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { type Declaration, type Endpoint, permissionsOf } from '../../../lib/http/declaration.ts';
import { type Permission, permissionKindOf, permissions } from '../../../lib/identity/permission-table.ts';
import { rootRoles } from '../../../lib/identity/permissions.ts';
import { type CustomRole, customRoleIdOf, customRoles } from '../../../lib/identity/roles.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { buildToken, buildTokenCreation } from '../../../lib/identity/tokens/tokens.ts';
import { newUser, users } from '../../../lib/identity/users.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { chunksOf } from '../../../lib/values/lists.ts';
import { World } from '../../harness/world.ts';
import { sharedService } from '../../specifications/specify.ts';

/** Every operation whose permission follows from its path, with a caller for each permission that there is. */
const operations = Object.entries(registry as Record<string, Endpoint>)
  .map(([operationId, { declaration }]): Declaration & { operationId: string } => ({ operationId, ...declaration }))
  .filter((each) => permissionsOf(each).length > 0 && each.permissionBy === undefined);

interface Held {
  readonly name: Permission;
  readonly environment?: string;
}

/** Without a project in the path, a permission of projects must hold in all of them. */
const openingOf = (operation: Declaration) =>
  permissionsOf(operation).filter(
    (name) => operation.path.includes('{projectId}') || permissionKindOf(name) === 'root',
  );
const othersThan = (operation: Declaration): Held[] =>
  permissions.filter((name) => name !== 'ADMIN' && !permissionsOf(operation).includes(name)).map((name) => ({ name }));

/** The first permission of an operation in a project, where it is for projects. */
function ofOneProject(operation: Declaration): Held | undefined {
  const [name] = permissionsOf(operation);
  if (name === undefined || permissionKindOf(name) === 'root' || !operation.path.includes('{projectId}'))
    return undefined;
  return { name, ...(permissionKindOf(name) === 'environment' && { environment: 'development' }) };
}

const service = sharedService();
let other: string;
/** The secrets of people, by what they may do. */
const holders = new Map<string, string>();
beforeAll(async () => {
  other = await new World(service).project();
  const needed = operations.flatMap((operation) => {
    const held = ofOneProject(operation);
    return [...openingOf(operation).map((name) => [{ name }]), othersThan(operation), ...(held ? [[held]] : [])];
  });
  await addHolders([...new Map(needed.map((held) => [JSON.stringify(held), held])).values()]);
});

/** Adds somebody for each of these, with roles that have these permissions alone, those of projects in `default` only. */
async function addHolders(all: readonly (readonly Held[])[]): Promise<void> {
  const at = new Date().toISOString();
  const made = all.map((held, index) => {
    const roles = (['root-custom', 'custom'] as const).flatMap((type, isOfProject): CustomRole[] => {
      const own = held.filter(({ name }) => (permissionKindOf(name) === 'root') === (type === 'root-custom'));
      const id = customRoleIdOf(1 + 2 * index + isOfProject);
      return own.length === 0
        ? []
        : [{ id, name: `role-${id}`, description: '', type, permissions: own, createdAt: at }];
    });
    const rootRole = roles.find(({ type }) => type === 'root-custom')?.id ?? rootRoles.Viewer;
    const inProject = roles.filter(({ type }) => type === 'custom').map(({ id }) => id);
    const projectRoles = inProject.length === 0 ? [] : [{ project: 'default', roles: inProject, addedAt: at }];
    const user = { ...newUser(1_000 + index, `user-${index}`, at), rootRole, projectRoles };
    const secret = makeSecret('user');
    holders.set(JSON.stringify(held), secret);
    const token = buildToken(secret, { kind: 'user', user }, at);
    return { roles, writes: [...users.buildCreationEffects(user, at).writes, ...buildTokenCreation(token).writes] };
  });
  for (const some of chunksOf(
    made.flatMap(({ roles }) => roles),
    40,
  )) {
    const writes = some.flatMap((role) => customRoles.buildCreationEffects(role, at).writes);
    await transact(service.table, writes, undefined);
  }
  for (const some of chunksOf(made, 8)) {
    const writes = some.flatMap((each) => each.writes);
    await transact(service.table, writes, undefined);
  }
}

function holderOf(held: readonly Held[]): string {
  return holders.get(JSON.stringify(held)) ?? expect.fail(`Nobody has ${JSON.stringify(held)} alone.`);
}

/** Tells whether a caller is let in, even if the request is about things that do not exist. */
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

test('Every operation accepts a caller with only one of its permissions, and refuses a caller with all others', async () => {
  const wrong: string[] = [];
  expect(operations.length).toBeGreaterThan(100);
  for (const operation of operations) {
    for (const name of openingOf(operation)) {
      if (!(await isLetIn(operation, holderOf([{ name }]))))
        wrong.push(`${operation.operationId} is closed to ${name}`);
    }
  }
  // All at once: nothing comes of what is refused.
  const strangers = operations.map(async (operation) => {
    if (!(await isLetIn(operation, holderOf(othersThan(operation))))) return [];
    return [`${operation.operationId} is open to who lacks ${permissionsOf(operation).join()}`];
  });
  wrong.push(...(await Promise.all(strangers)).flat());
  expect(wrong).toEqual([]);
});

test('A permission in a project or an environment has no effect in another one', async () => {
  const wrong: string[] = [];
  for (const operation of operations) {
    const held = ofOneProject(operation);
    if (held === undefined) continue;
    const isOfEnvironment = held.environment !== undefined;
    const token = holderOf([held]);
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

/** They allow nothing: what they are for does not exist here, or everyone who sees the project may read it. */
const idle: ReadonlySet<Permission> = new Set([
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  'PROJECT_CHANGE_REQUEST_READ',
  'PROJECT_DEFAULT_STRATEGY_READ',
  'PROJECT_SETTINGS_READ',
]);

test('Every permission that a role can have is required by some operation, except those for features that do not exist', () => {
  const asked = new Set(Object.values<Endpoint>(registry).flatMap(({ declaration }) => permissionsOf(declaration)));
  expect(permissions.filter((name) => !asked.has(name) && !idle.has(name))).toEqual([]);
  expect([...idle].filter((name) => asked.has(name))).toEqual([]);
});
