import type { ShownUser } from './user-schema.ts';
import type { User } from './users.ts';

/** Returns a user as administrators see them; unknown fields are left out. */
export function userView({ id, name, username, email, seenAt, createdAt, rootRole }: User): ShownUser {
  return {
    id,
    accountType: 'User',
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    seenAt: seenAt ?? null,
    loginAttempts: 0,
    createdAt,
    rootRole,
    imageUrl: '',
    scimId: null,
    seatType: null,
    companyRole: null,
    productUpdatesEmailConsent: null,
  };
}
