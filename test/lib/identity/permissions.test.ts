import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { permissions, permissionTable } from '../../../lib/identity/permission-table.ts';
import {
  allows,
  buildRights,
  builtInPermissionsOf,
  isMember,
  isProjectPermission,
  listGrants,
  type Permission,
  type ProjectRole,
  projectRoleNameOf,
  projectRoles,
  type Rights,
  type RolePermission,
  type RootRole,
  rootRoleNameOf,
  rootRoles,
} from '../../../lib/identity/permissions.ts';

/** `CREATE`, `UPDATE` and `DELETE` of each thing. */
const allOf = (things: string) =>
  things.split(' ').flatMap((thing) => ['CREATE', 'UPDATE', 'DELETE'].map((verb) => `${verb}_${thing}` as Permission));

const root: Permission[] = [
  ...allOf('ADDON CONTEXT_FIELD SEGMENT STRATEGY TAG_TYPE'),
  'CREATE_PROJECT',
  'UPDATE_APPLICATION',
  'RELEASE_PLAN_TEMPLATE_CREATE',
  'RELEASE_PLAN_TEMPLATE_UPDATE',
  'READ_CLIENT_API_TOKEN',
  'READ_FRONTEND_API_TOKEN',
];
const ofMember: Permission[] = [
  ...allOf('FEATURE FEATURE_STRATEGY'),
  ...(['CREATE', 'READ', 'DELETE'] as const).map((verb) => `${verb}_PROJECT_API_TOKEN` as const),
  'UPDATE_FEATURE_DEPENDENCY',
  'UPDATE_FEATURE_VARIANTS',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
];
const ofOwner: Permission[] = [
  ...ofMember,
  'UPDATE_PROJECT',
  'UPDATE_PROJECT_CONTEXT',
  'UPDATE_PROJECT_SEGMENT',
  'DELETE_PROJECT',
  'MOVE_FEATURE_TOGGLE',
];

const builtIn = (id: number) => builtInPermissionsOf(id) ?? [];
const rolesOf = (...names: RootRole[]): Rights =>
  buildRights(
    names.map((name) => builtIn(rootRoles[name])),
    [],
  );
const inShop = (role: ProjectRole): Rights => buildRights([], [['shop', builtIn(projectRoles[role])]]);
/** Lists the permissions of roles, in a project or outside of any. */
const allowed = (roles: Rights, project?: string) =>
  permissions.filter((permission) => allows(roles, permission, project)).toSorted();

describe('A role', () => {
  test('of an Admin has every permission everywhere', () => {
    for (const project of [undefined, 'default', 'shop']) {
      expect(allowed(rolesOf('Admin'), project)).toEqual([...permissions].toSorted());
    }
  });

  test('of a Viewer has no permission, as if they had no role', () => {
    for (const project of [undefined, 'default']) {
      expect(allowed(rolesOf('Viewer'), project)).toEqual([]);
      expect(allowed(rolesOf(), project)).toEqual([]);
    }
  });

  test('of an Editor has the shared permissions, and those of an Owner in every project', () => {
    for (const project of ['default', 'shop']) {
      expect(allowed(rolesOf('Editor'), project)).toEqual([...root, ...ofOwner].toSorted());
    }
  });

  test.each([
    ['Owner', ofOwner],
    ['Member', ofMember],
    ['Reader', []],
    ['Approver', ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']],
  ] as const)('of a %s has its permissions in its project, and none elsewhere', (role, ofRole) => {
    expect(allowed(inShop(role), 'shop')).toEqual([...ofRole].toSorted());
    for (const project of [undefined, 'default', 'Shop', 'shop2', '*', '']) {
      expect(allowed(inShop(role), project)).toEqual([]);
    }
  });

  test('has its permissions listed with project and environment, but ADMIN alone for an Admin', () => {
    expect(listGrants(rolesOf('Admin', 'Editor'))).toEqual([{ permission: 'ADMIN' }]);
    const skip = { name: 'SKIP_CHANGE_REQUEST', environment: 'development' } as const;
    expect(listGrants(buildRights([[{ name: 'ADMIN' }]], [['shop', [skip, { name: 'UPDATE_PROJECT' }]]]))).toEqual([
      { permission: 'ADMIN' },
      { permission: 'SKIP_CHANGE_REQUEST', project: 'shop', environment: 'development' },
    ]);
    const inDevelopment = { name: 'UPDATE_FEATURE_STRATEGY', environment: 'development' } as const;
    const rights = buildRights(
      [[{ name: 'CREATE_PROJECT' }, { name: 'UPDATE_PROJECT' }]],
      [['shop', [{ name: 'CREATE_SEGMENT' }, inDevelopment]]],
    );
    expect(listGrants(rights)).toEqual([
      { permission: 'CREATE_PROJECT' },
      { permission: 'UPDATE_PROJECT', project: '*', environment: '*' },
      { permission: 'UPDATE_FEATURE_STRATEGY', project: 'shop', environment: 'development' },
    ]);
  });
});

/** Few names, so that generated roles overlap. */
const somePermissions = [
  'ADMIN',
  'CREATE_PROJECT',
  'UPDATE_FEATURE',
  'UPDATE_PROJECT',
  'UPDATE_FEATURE_STRATEGY',
] as const;
const environments = ['development', 'production'];
const rolePermission: fc.Arbitrary<RolePermission> = fc
  .tuple(fc.constantFrom(...somePermissions), fc.option(fc.constantFrom(...environments), { nil: undefined }))
  .map(([name, environment]) => ({
    name,
    ...(name === 'UPDATE_FEATURE_STRATEGY' && environment !== undefined && { environment }),
  }));
const anyRole = fc.array(rolePermission, { maxLength: 4 });
const anyRoles = fc.record({
  root: fc.array(anyRole, { maxLength: 2 }),
  projects: fc.array(fc.tuple(fc.constantFrom('shop', 'office'), anyRole), { maxLength: 3 }),
});

describe('Generated roles', () => {
  const questions = somePermissions.flatMap((permission) =>
    [undefined, 'shop', 'office', 'other'].flatMap((project) =>
      [undefined, ...environments, 'other', '*'].map((environment) => ({ permission, project, environment })),
    ),
  );

  test('allow a permission where one of them lists it, and everything with ADMIN as a root permission', () => {
    fc.assert(
      fc.property(anyRoles, ({ root, projects }) => {
        const rights = buildRights(root, projects);
        const all = [
          ...root.flat().map((entry) => ({ ...entry, project: '*' })),
          ...projects.flatMap(([project, role]) => role.map((entry) => ({ ...entry, project }))),
        ];
        for (const { permission, project, environment } of questions) {
          const isNamed = all.some(
            (entry) =>
              entry.name === permission &&
              (entry.project === '*' || entry.project === project) &&
              (entry.environment === undefined || entry.environment === environment),
          );
          const isAdmin = root.flat().some(({ name }) => name === 'ADMIN');
          expect(allows(rights, permission, project, environment)).toBe(isAdmin || isNamed);
        }
      }),
    );
  });

  test('allow what an admin UI derives from the list of grants', () => {
    fc.assert(
      fc.property(anyRoles, ({ root, projects }) => {
        const rights = buildRights(root, projects);
        const grants = listGrants(rights);
        for (const { permission, project, environment } of questions) {
          if (isProjectPermission(permission) && (project === undefined || environment === undefined)) continue;
          if (!isProjectPermission(permission) && project !== undefined) continue;
          const isGranted = grants.some(
            (grant) =>
              grant.permission === 'ADMIN' ||
              (grant.permission === permission &&
                [undefined, '*', project].includes(grant.project) &&
                [undefined, '*', environment].includes(grant.environment)),
          );
          expect(isGranted, JSON.stringify({ permission, project, environment })).toBe(
            allows(rights, permission, project, environment),
          );
        }
      }),
    );
  });

  test('make a member of a project of everybody with a role in it, or with permissions in all projects', () => {
    fc.assert(
      fc.property(anyRoles, ({ root, projects }) => {
        const rights = buildRights(root, projects);
        const isEverywhere = root.flat().some(({ name }) => name === 'ADMIN' || isProjectPermission(name));
        for (const project of ['shop', 'office', 'other']) {
          expect(isMember(rights, project)).toBe(isEverywhere || projects.some(([id]) => id === project));
        }
      }),
    );
  });
});

test('Permissions have Unleash’s names and kinds, and are listed once', () => {
  expect(new Set(permissions).size).toBe(permissions.length);
  const idsByKind = Object.values(permissionTable).map((rows) => rows.map(([id]): number => id));
  // Ours begin at 1,000.
  expect(idsByKind.map((ids) => ids.filter((id) => id < 1_000).length)).toEqual([35, 21, 8]);
  const ids = idsByKind.flat();
  expect(new Set(ids).size).toBe(ids.length);
  const ofProjects = [...permissionTable.project, ...permissionTable.environment].map(([, name]) => name);
  for (const permission of permissions)
    expect(isProjectPermission(permission)).toBe(ofProjects.includes(permission as never));
});

test('Root roles have Unleash’s ids', () => {
  expect(rootRoles).toEqual({ Admin: 1, Editor: 2, Viewer: 3 });
  expect([1, 2, 3].map(rootRoleNameOf)).toEqual(['Admin', 'Editor', 'Viewer']);
  for (const id of [0, 4, 5, -1, 1.5, Number.NaN]) expect(rootRoleNameOf(id)).toBeUndefined();
});

test('Project roles have Unleash’s ids, except for Approver, which Unleash lacks', () => {
  expect(projectRoles).toEqual({ Owner: 4, Member: 5, Reader: 6, Approver: 1_000_000_000 });
  expect([4, 5, 6].map(projectRoleNameOf)).toEqual(['Owner', 'Member', 'Reader']);
  for (const id of [0, 3, 7, -4, 4.5, Number.NaN]) expect(projectRoleNameOf(id)).toBeUndefined();
});
