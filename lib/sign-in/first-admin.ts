import { randomBytes } from 'node:crypto';
import { systemUser } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { findUserId } from './find-user.ts';
import { isStrong } from './passwords/password-rules.ts';
import { replacePassword } from './passwords/passwords.ts';
import { loadRecord } from './passwords/records.ts';

/** The user that every new store holds. */
export const firstAdmin = 'admin';

/** Generates a password of 120 random bits that satisfies the rules. */
export function randomPassword(): string {
  const password = randomBytes(15).toString('base64url');
  return isStrong(password) ? password : randomPassword();
}

/**
 * Gives the first administrator a password, unless they ever had one or have been deleted. Of several processes that do
 * so at once, one succeeds.
 * @param isMadeUp true if the password was generated, and nobody chose it.
 * @returns true if it is theirs now.
 */
export async function giveFirstPassword(request: Request, password: string, isMadeUp = false): Promise<boolean> {
  const userId = await findUserId(request, firstAdmin);
  if (userId === undefined || (await loadRecord(request, userId)).version > 0) return false;
  let isGiven = true;
  await replacePassword(request, systemUser, userId, password, {
    isMadeUp,
    // It may be tried again, so that it must not end in an error.
    isWanted: ({ version }) => {
      isGiven = version === 0;
      return isGiven;
    },
  });
  return isGiven;
}
