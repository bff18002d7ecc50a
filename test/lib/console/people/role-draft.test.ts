import { describe, expect, test } from 'vitest';
import {
  hasPermission,
  listPermissionsFor,
  setPermission,
  toPermissionInputs,
  toRoleBody,
  toRoleDraft,
  toRoleEdits,
} from '../../../../lib/console/people/role-draft.ts';

const permission = (name: string, type: 'root' | 'project' | 'environment', environment?: string) => ({
  ...{ id: 1, name, displayName: name, type, ...(environment && { environment }) },
});

const list = {
  root: [permission('READ_LOGS', 'root')],
  project: [permission('CREATE_FEATURE', 'project')],
  environments: [{ name: 'production', permissions: [permission('APPLY_CHANGE_REQUEST', 'environment')] }],
};

describe('The permissions of a role', () => {
  test('hold in one environment or in all', () => {
    const draft = toRoleDraft([permission('APPLY_CHANGE_REQUEST', 'environment', 'production')]);
    expect(hasPermission(draft, 'APPLY_CHANGE_REQUEST', 'production')).toBe(true);
    expect(hasPermission(draft, 'APPLY_CHANGE_REQUEST', 'development')).toBe(false);
    expect(hasPermission(draft, 'APPLY_CHANGE_REQUEST')).toBe(false);
    const everywhere = setPermission(draft, 'APPLY_CHANGE_REQUEST', true);
    expect(hasPermission(everywhere, 'APPLY_CHANGE_REQUEST', 'development')).toBe(true);
    // It stands for all, so those of single environments go.
    expect([...everywhere]).toEqual(['APPLY_CHANGE_REQUEST']);
    expect([...setPermission(everywhere, 'APPLY_CHANGE_REQUEST', false)]).toEqual([]);
  });

  test('are sent by name, with the environment of those that have one', () => {
    expect(toPermissionInputs(new Set(['CREATE_FEATURE', 'APPLY_CHANGE_REQUEST@a@b']))).toEqual([
      { name: 'CREATE_FEATURE' },
      { name: 'APPLY_CHANGE_REQUEST', environment: 'a@b' },
    ]);
  });

  test('of a role for projects are never those of the whole service', () => {
    expect(listPermissionsFor(list, false).map(({ name }) => name)).toEqual(['CREATE_FEATURE', 'APPLY_CHANGE_REQUEST']);
    expect(listPermissionsFor(list, true).map(({ name }) => name)).toContain('READ_LOGS');
    const edits = { ...toRoleEdits(undefined), name: ' Releaser ', permissions: ['READ_LOGS', 'CREATE_FEATURE'] };
    expect(toRoleBody(edits, list)).toEqual({
      ...{ name: 'Releaser', description: '', type: 'custom', permissions: [{ name: 'CREATE_FEATURE' }] },
    });
    expect(toRoleBody({ ...edits, type: 'root-custom' }, list).permissions).toHaveLength(2);
  });
});
