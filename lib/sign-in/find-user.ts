import type { Pointer } from '../entity/entity.ts';
import * as peopleKeys from '../identity/keys.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';

/** Finds the id of the user who signs in with a name, in any capitals: an e-mail address or a user name. */
export async function findUserId(request: Request, name: string): Promise<number | undefined> {
  return (await readItem<Key & Pointer<number>>(request, peopleKeys.signInName(name)))?.id;
}
