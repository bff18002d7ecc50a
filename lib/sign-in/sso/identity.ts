import * as v from 'valibot';
import { emailAddress } from '../../people/user-fields.ts';
import { titleOfLength } from '../../values/primitives.ts';
import { refuseSignOn } from './refusal.ts';

/** A user, as an identity provider describes them. */
export interface Identity {
  readonly email: string;
  readonly name?: string | undefined;
  /** The groups at the identity provider; undefined if they are not synchronised. */
  readonly groups?: readonly string[] | undefined;
  /** The ids of the user at the identity provider, which do not change. A directory may send one of them as `externalId` by SCIM. */
  readonly ids: readonly string[];
}

/** More than any id of an identity provider has. It fits a key of the store. */
const idLengthMax = 255;

const displayName = v.pipe(titleOfLength(255), v.regex(/^\P{C}*$/u));

/**
 * Validates the user that an identity provider names. An invalid display name is ignored.
 * @throws ApiError 401 if the address is invalid.
 */
export function signOnIdentityOf(
  email: unknown,
  name: unknown,
  groups: readonly string[] | undefined,
  ids: readonly unknown[],
): Identity {
  if (!v.is(emailAddress, email)) throw refuseSignOn('The identity provider sent no e-mail address.');
  const { success, output } = v.safeParse(displayName, name);
  const isId = (id: unknown): id is string => typeof id === 'string' && id !== '' && id.length <= idLengthMax;
  return { email, name: success ? output : undefined, groups, ids: ids.filter(isId) };
}
