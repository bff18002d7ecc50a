import { getScimSettings } from '../calls/sign-in.ts';
import { useRead } from '../data/cache.ts';
import { isAdmin, useStart } from '../reader/start.ts';

/** The reason why a field of a person or a group is locked. */
export const managedReason = 'The directory manages it by SCIM. Change it there.';

/**
 * Tells whether a directory decides about a person or a group at present. Only Admins, who can edit them, may read the settings.
 * @param thing undefined while it is not known.
 */
export function useIsManaged(thing: { readonly scimId: string | null } | undefined): boolean {
  const { value: start } = useStart();
  const isSubject = thing !== undefined && thing.scimId !== null && isAdmin(start);
  const { value } = useRead(isSubject ? getScimSettings({}) : undefined, 60_000);
  return isSubject && value?.enabled === true;
}
