import { users } from '../people/users.ts';
import type { Request } from '../request.ts';
import { readItems } from '../store/read.ts';
import * as signInKeys from './keys.ts';
import type { SignInRecord } from './passwords/records.ts';

/** Tells whether any user has a password chosen by somebody, other than the one that the first start generated. */
export async function hasChosenPassword(request: Request): Promise<boolean> {
  const all = await users.list(request);
  const records = await readItems<SignInRecord>(
    request,
    all.map(({ id }) => signInKeys.signIn(id)),
  );
  return records.some((record) => record?.passwordHash !== undefined && record.isMadeUp !== true);
}
