import { describe, expect, test } from 'vitest';
import { accountNamesOf, filterPeople, personNameOf, signInMethodOf } from '../../../../lib/console/words/people.ts';
import { splitLines } from '../../../../lib/console/words/split-lines.ts';

const zoe = { id: 7, name: 'Zoë Ito', username: 'zoe', email: 'Zoe@example.com' };

describe('A person', () => {
  test('is shown by their name, else by that of their account', () => {
    expect(personNameOf(zoe)).toBe('Zoë Ito');
    expect(personNameOf({ id: 7, username: 'zoe' })).toBe('zoe');
    expect(personNameOf({ id: 7, name: '', email: 'zoe@example.com' })).toBe('zoe@example.com');
    expect(personNameOf({ id: 7 })).toBe('Person 7');
  });

  test('has the names of their account beside it, but not the same one twice', () => {
    expect(accountNamesOf(zoe)).toBe('zoe · Zoe@example.com');
    expect(accountNamesOf({ id: 7, username: 'zoe' })).toBe('');
  });

  test('has the method of their last successful sign-in', () => {
    const entry = (
      auth_type: 'simple' | 'saml' | 'oidc',
      day: number,
      successful = true,
      username = 'zoe@example.com',
    ) => ({
      ...{ username, auth_type, successful, created_at: `2026-06-0${day}T00:00:00.000Z` },
    });
    expect(signInMethodOf(zoe, [entry('simple', 1), entry('oidc', 2)])).toBe('OpenID Connect');
    expect(signInMethodOf(zoe, [entry('simple', 1), entry('saml', 2, false), entry('saml', 3, true, 'bob')])).toBe(
      'Password',
    );
    expect(signInMethodOf(zoe, [])).toBeUndefined();
  });

  test('is found by words of any of their names', () => {
    const people = [zoe, { id: 8, username: 'bob' }];
    expect(filterPeople(people, 'ITO example').map(({ id }) => id)).toEqual([7]);
    expect(filterPeople(people, '')).toHaveLength(2);
  });
});

test('Entries of a text, one a line or with commas between them, are trimmed, and each is taken once', () => {
  expect(splitLines(' a \n\nb, c\na')).toEqual(['a', 'b', 'c']);
});
