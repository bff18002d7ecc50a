import * as v from 'valibot';
import { directoryActor, systemUser } from '../events/actor.ts';
import { rootRoles } from '../identity/permissions.ts';
import { id, isVisible, text, textOfLength } from '../values/primitives.ts';

/** Events have these names for the service itself, for a directory, and for admin tokens. */
const reservedNames = [systemUser.name, directoryActor.name, 'unleash_admin_token'];

/** A user name, which may be an e-mail address. It must fit a key of the store. */
export const username = v.pipe(
  text,
  v.regex(/^\S(.*\S)?$/, 'A user name must not be empty, nor begin or end with a space.'),
  v.regex(/^\P{C}*$/u, 'A user name must not contain control or format characters.'),
  // White space, control and format characters were refused before.
  v.check((name) => isVisible(name) || !/^[^\s\p{C}]+$/u.test(name), 'A user name must be visible.'),
  v.maxLength(254),
  v.check(
    (name) => name.normalize('NFKC').length <= 254,
    'A user name has at most 254 characters, with ligatures written out.',
  ),
  v.notValues(reservedNames, 'The service itself has this name.'),
);

/** The name of a person; may be empty. */
export const personName = v.pipe(
  textOfLength(0, 255),
  v.trim(),
  v.check((name) => name === '' || isVisible(name), 'A name must be visible.'),
);

export const emailAddress = v.pipe(text, v.rfcEmail('An e-mail address is required.'), v.maxLength(254));

/** The admin UI sends an empty text for a user without an address. */
export const emailAddressOrNone = v.pipe(
  text,
  v.check((sent) => sent === '' || v.is(emailAddress, sent), 'An e-mail address is required.'),
  v.transform((sent) => sent || undefined),
);

const roleNames = Object.keys(rootRoles) as (keyof typeof rootRoles)[];

/** A root role: a built-in one by its name or id, a custom one by its id. */
export const rootRoleOrId = v.union(
  [id, v.picklist(roleNames)],
  'A root role is Admin, Editor or Viewer, or the id of one.',
);
export type RootRoleOrId = v.InferOutput<typeof rootRoleOrId>;

export function rootRoleIdOf(role: RootRoleOrId): number {
  return typeof role === 'number' ? role : rootRoles[role];
}

/** A built-in root role by its name or id; parsed to the id. */
export const rootRole = v.pipe(
  v.picklist(
    [...roleNames, ...Object.values(rootRoles)],
    'A root role is Admin, Editor or Viewer, or its id 1, 2 or 3.',
  ),
  v.transform((role) => rootRoleIdOf(role)),
);
