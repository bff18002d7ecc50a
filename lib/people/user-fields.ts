import * as v from 'valibot';
import { systemUser } from '../events/actor.ts';
import { rootRoles } from '../identity/permissions.ts';
import { id, isVisible, text, textOfLength } from '../values/primitives.ts';

/** Names in events for actions of the service itself, and for those by admin tokens. */
const reservedNames = [systemUser.name, 'unleash_admin_token'];

/** A user name or an e-mail address: long enough for any address, short enough for a key of the store. */
export const username = v.pipe(
  text,
  v.regex(/^\S(.*\S)?$/, 'A user name must not be empty, nor begin or end with a space.'),
  v.regex(/^\P{C}*$/u, 'A user name must not hold control or format characters.'),
  // White space, control and format characters were refused before.
  v.check((name) => isVisible(name) || !/^[^\s\p{C}]+$/u.test(name), 'A user name must be visible.'),
  v.maxLength(254),
  v.check(
    (name) => name.normalize('NFKC').length <= 254,
    'A user name has at most 254 characters, ligatures written out.',
  ),
  v.notValues(reservedNames, 'This name is the name of the service itself.'),
);

/** The name of a person, for others to read; empty for none. */
export const personName = v.pipe(
  textOfLength(0, 255),
  v.trim(),
  v.check((name) => name === '' || isVisible(name), 'A name must be visible.'),
);

/** An address that mail could be sent to. */
export const emailAddress = v.pipe(text, v.rfcEmail('An e-mail address is required.'), v.maxLength(254));

/** The same, or nothing for an empty text: the admin UI sends one for a user who has no address. */
export const emailAddressOrNone = v.pipe(
  text,
  v.check((sent) => sent === '' || v.is(emailAddress, sent), 'An e-mail address is required.'),
  v.transform((sent) => sent || undefined),
);

const roleNames = Object.keys(rootRoles) as (keyof typeof rootRoles)[];

/** A root role: one that comes with the service by its name or its id, one of the team's own by its id. */
export const namedRootRole = v.union(
  [id, v.picklist(roleNames)],
  'A root role is Admin, Editor or Viewer, or the id of one.',
);
export type NamedRootRole = v.InferOutput<typeof namedRootRole>;

export function rootRoleId(role: NamedRootRole): number {
  return typeof role === 'number' ? role : rootRoles[role];
}

/** A root role that comes with the service, by its name or its id; it becomes the id. */
export const rootRole = v.pipe(
  v.picklist(
    [...roleNames, ...Object.values(rootRoles)],
    'A root role is Admin, Editor or Viewer, or its id 1, 2 or 3.',
  ),
  v.transform((role) => rootRoleId(role)),
);
