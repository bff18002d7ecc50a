import { randomBytes } from 'node:crypto';
import { systemUser } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { isStrong } from './passwords/password-rules.ts';
import { replacePassword } from './passwords/passwords.ts';
import { findUserId, loadRecord } from './passwords/records.ts';

/** The user name of the first administrator, which every new store has. */
export const firstAdmin = 'admin';

/** Generates a password with 120 random bits that follows the rules. */
export function randomPassword(): string {
  const password = randomBytes(15).toString('base64url');
  return isStrong(password) ? password : randomPassword();
}

/**
 * Sets the password of the first administrator, unless they ever had one or were deleted. If several processes do so concurrently, one
 * succeeds.
 * @param isMadeUp true if the password was generated.
 * @returns true if the password was set.
 */
export async function giveFirstPassword(request: Request, password: string, isMadeUp = false): Promise<boolean> {
  const userId = await findUserId(request, firstAdmin);
  if (userId === undefined || (await loadRecord(request, userId)).version > 0) return false;
  let isSet = true;
  await replacePassword(request, systemUser, userId, password, {
    isMadeUp,
    // A repetition of this transaction must not fail.
    isWanted: ({ version }) => {
      isSet = version === 0;
      return isSet;
    },
  });
  return isSet;
}
