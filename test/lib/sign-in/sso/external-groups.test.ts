import { expect, test } from 'vitest';
import { readExternalGroups } from '../../../../lib/sign-in/sso/external-groups.ts';

test.each<[string, unknown, string | undefined, string[] | undefined]>([
  ['a list', { groups: ['a', 'b'] }, undefined, ['a', 'b']],
  ['where no path is set', { groups: ['a'] }, ' ', ['a']],
  ['a single text, as SAML has of one group', { groups: 'a' }, 'groups', ['a']],
  ['below other names', { realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  ['with the beginning of a JSON path', { realm_access: { roles: ['a'] } }, '$.realm_access.roles', ['a']],
  ['under a name with dots', { 'http://idp.example.com/groups': ['a'] }, 'http://idp.example.com/groups', ['a']],
  [
    'below a name with dots',
    { 'https://idp.example.com/': { groups: ['a'] } },
    'https://idp.example.com/.groups',
    ['a'],
  ],
  ['below a name with a dollar sign', { a$: { b: ['x'] } }, 'a$.b', ['x']],
  ['in objects', { groups: [{ name: 'a' }, { name: 'b' }] }, 'groups[*].name', ['a', 'b']],
  ['in objects, without the star', { groups: [{ name: 'a' }] }, 'groups.name', ['a']],
  ['nowhere', {}, 'groups', []],
  ['not below a name that is empty', { '': { groups: ['a'] } }, 'groups', []],
  ['nowhere at all', undefined, 'groups', []],
  ['among what is no text', { groups: ['a', 5, null, { name: 'b' }] }, 'groups', ['a']],
  ['not in what every object has', {}, 'constructor.name', []],
  ['somewhere else, as Entra ID says', { _claim_names: { groups: 'src1' } }, 'groups', undefined],
])('Groups are found: %s', (_where, statement, path, groups) => {
  expect(readExternalGroups(statement, path)).toEqual(groups);
});
