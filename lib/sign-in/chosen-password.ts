import type { Request } from '../request.ts';
import * as keys from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { users } from '../users/users.ts';
import type { SignInRecord } from './records.ts';

/** Whether any user has a password that somebody has chosen, and not the one that the first start made up. */
export async function hasChosenPassword(request: Request): Promise<boolean> {
  const all = await users.list(request);
  const records = await readItems<SignInRecord>(
    request,
    all.map(({ id }) => keys.signIn(id)),
  );
  return records.some((record) => record?.passwordHash !== undefined && record.isMadeUp !== true);
}
