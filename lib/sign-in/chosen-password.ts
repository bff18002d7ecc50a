import { users } from '../people/users.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItems } from '../store/read.ts';
import type { SignInRecord } from './passwords/records.ts';

/** Whether any user has a password that somebody has chosen, and not the one that the first start made up. */
export async function hasChosenPassword(request: Request): Promise<boolean> {
  const all = await users.list(request);
  const records = await readItems<SignInRecord>(
    request,
    all.map(({ id }) => keys.signIn(id)),
  );
  return records.some((record) => record?.passwordHash !== undefined && record.isMadeUp !== true);
}
