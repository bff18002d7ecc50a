import type { Actor } from '../events/actor.ts';
import { createUserWith, type UserFields } from '../people/administer-users.ts';
import type { User } from '../people/users.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { firstLinkMaker } from './passwords/links.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { assertStrong } from './passwords/password-rules.ts';
import { recordChanged } from './passwords/records.ts';

/** User who was created, with the secret of the link for choosing a password. */
export interface CreatedUser {
  readonly user: User;
  readonly link: string;
}

/**
 * Creates a user who can sign in: by the password, or once they have chosen one by the link.
 * @throws ApiError 400 for a weak password; and as `createUser`.
 */
export async function createUserWhoSignsIn(
  request: Request,
  actor: Actor,
  fields: UserFields,
  password: string | undefined,
): Promise<Versioned<CreatedUser>> {
  if (password !== undefined) assertStrong(password);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const linkOf = firstLinkMaker();
  return createUserWith(request, actor, fields, (user) => {
    const { secret, kept } = linkOf(user.id);
    const record = { ...kept, ...(passwordHash && { passwordHash, passwordChangedAt: user.createdAt }) };
    return { writes: [recordChanged(user.id, { version: 0 }, record)], value: { user, link: secret } };
  });
}
