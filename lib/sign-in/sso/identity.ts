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
}

const displayName = v.pipe(titleOfLength(255), v.regex(/^\P{C}*$/u));

/**
 * Validates the user that an identity provider names. An invalid display name is ignored.
 * @throws ApiError 401 if the address is invalid.
 */
export function signOnIdentityOf(email: unknown, name: unknown, groups: readonly string[] | undefined): Identity {
  if (!v.is(emailAddress, email)) throw refuseSignOn('The identity provider sent no e-mail address.');
  const { success, output } = v.safeParse(displayName, name);
  return { email, name: success ? output : undefined, groups };
}
