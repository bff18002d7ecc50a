import { type Account, isServiceAccount } from '../identity/accounts.ts';
import type { ShownUser } from './user-schema.ts';

/** Returns a user, or a service account, as administrators see them; unknown fields are left out. */
export function userView(account: Account): ShownUser {
  const { id, name, username, email, seenAt, createdAt, rootRole } = account;
  return {
    id,
    accountType: isServiceAccount(account) ? 'Service Account' : 'User',
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
