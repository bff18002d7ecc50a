import { describe, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import {
  allows,
  type Permission,
  type ProjectRole,
  permissions,
  type Roles,
  type RootRole,
  rootRoleName,
  rootRoles,
} from '../../../lib/users/permissions.ts';

/** `CREATE`, `UPDATE` and `DELETE` of each thing. */
const allOf = (things: string) =>
  things.split(' ').flatMap((thing) => ['CREATE', 'UPDATE', 'DELETE'].map((verb) => `${verb}_${thing}` as Permission));

const root: Permission[] = [
  ...allOf('ADDON CONTEXT_FIELD SEGMENT STRATEGY TAG_TYPE'),
  'CREATE_PROJECT',
  'UPDATE_APPLICATION',
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
  'DELETE_PROJECT',
  'MOVE_FEATURE_TOGGLE',
];

const rolesOf = (...names: RootRole[]): Roles => ({ root: names, projects: new Map() });
const inShop = (role: ProjectRole): Roles => ({ root: [], projects: new Map([['shop', role]]) });
/** What roles allow, in a project or outside of any. */
const allowed = (roles: Roles, project?: string) =>
  permissions.filter((permission) => allows(roles, permission, project)).toSorted();

describe('What a role allows', () => {
  test('is everything, everywhere, for an Admin', () => {
    for (const project of [undefined, 'default', 'shop']) {
      expect(allowed(rolesOf('Admin'), project)).toEqual([...permissions].toSorted());
    }
  });

  test('is nothing for a Viewer, and for one without a role', () => {
    for (const project of [undefined, 'default']) {
      expect(allowed(rolesOf('Viewer'), project)).toEqual([]);
      expect(allowed(rolesOf(), project)).toEqual([]);
    }
  });

  test('is for an Editor what concerns all, and what an Owner may do, in every project and not only in default', () => {
    for (const project of ['default', 'shop']) {
      expect(allowed(rolesOf('Editor'), project)).toEqual([...root, ...ofOwner].toSorted());
    }
  });

  test.each([
    ['Owner', ofOwner],
    ['Member', ofMember],
  ] as const)('is for an %s their part of their own project, and nothing elsewhere', (role, ofRole) => {
    expect(allowed(inShop(role), 'shop')).toEqual([...ofRole].toSorted());
    for (const project of [undefined, 'default', 'Shop', 'shop2', '*', '']) {
      expect(allowed(inShop(role), project)).toEqual([]);
    }
  });

  test('adds up over all roles that a user holds, those of their groups included', () => {
    const both: Roles = { root: ['Viewer', 'Editor'], projects: new Map([['shop', 'Member']]) };
    expect(allowed(both, 'shop')).toEqual(allowed(rolesOf('Editor'), 'shop'));
    const projects: Roles['projects'] = new Map([
      ['shop', 'Member'],
      ['office', 'Owner'],
    ]);
    expect(allows({ root: ['Viewer'], projects }, 'UPDATE_PROJECT', 'office')).toBe(true);
    expect(allows({ root: ['Viewer'], projects }, 'UPDATE_PROJECT', 'shop')).toBe(false);
  });

  test('never is ADMIN or PROJECT_DEFAULT_STRATEGY_WRITE for any role but Admin', () => {
    const others = [rolesOf('Editor'), rolesOf('Viewer'), inShop('Owner'), inShop('Member')];
    for (const permission of ['ADMIN', 'PROJECT_DEFAULT_STRATEGY_WRITE'] as const) {
      for (const roles of others) expect(allows(roles, permission, 'shop')).toBe(false);
    }
  });
});

test('Root roles have Unleash’s ids, and no other id is one', () => {
  expect(rootRoles).toEqual({ Admin: 1, Editor: 2, Viewer: 3 });
  expect([1, 2, 3].map(rootRoleName)).toEqual(['Admin', 'Editor', 'Viewer']);
  for (const id of [0, 4, 5, -1, 1.5, Number.NaN]) expect(rootRoleName(id)).toBeUndefined();
});

const importNeeds =
  'UPDATE_FEATURE CREATE_FEATURE CREATE_FEATURE_STRATEGY DELETE_FEATURE_STRATEGY ' +
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS UPDATE_FEATURE_DEPENDENCY CREATE_CONTEXT_FIELD CREATE_TAG_TYPE';

test('Each operation asks for the permission that the contract names', () => {
  const asked = Object.fromEntries(
    Object.entries(registry as Record<string, Endpoint>).map(([name, { declaration }]) => [
      name,
      declaration.permission,
    ]),
  );
  expect(asked).toMatchObject({
    bulkToggleFeaturesEnvironmentOff: 'UPDATE_FEATURE_ENVIRONMENT',
    addEnvironmentToProject: 'UPDATE_PROJECT',
    updateFeature: 'UPDATE_FEATURE',
    validateProject: 'CREATE_PROJECT',
    addFeatureStrategy: 'CREATE_FEATURE_STRATEGY',
    addDefaultStrategyToProjectEnvironment: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'],
    setSamlSettings: 'ADMIN',
    getSamlSettings: 'ADMIN',
    deleteAddon: 'DELETE_ADDON',
    addTag: 'UPDATE_FEATURE',
    importToggles: importNeeds.split(' '),
  });
  const reads = [
    'getEventsForToggle',
    'getEnvironmentFeatureVariants',
    'getArchivedFeaturesByProjectId',
    'getAllEnvironments',
    'getBaseUsersAndGroups',
  ];
  for (const read of reads) expect(asked[read]).toBeUndefined();
});
