import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import type { ApiAddress } from '../data/address.ts';
import { reload } from '../data/cache.ts';
import { wordPermissions } from '../words/permissions.ts';

/** Properties of each part of the page of a change request. */
export interface PartProps {
  readonly page: ConsoleRequestPage;
  readonly path: ApiAddress<ConsoleRequestPage>;
}

/** Returns the reason against an action; undefined if the reader may take it. */
export function refusalText(permission: true | string): string | undefined {
  return permission === true ? undefined : wordPermissions(permission);
}

/** Waits for a change of a request. If it fails, the page is read again: it may show why. */
export async function reloadOnFailure<T>(path: PartProps['path'], change: Promise<T>): Promise<T> {
  return change.catch(async (error) => {
    await reload(path);
    throw error;
  });
}

/** Counts the changes of a request. */
export function countChanges({ request }: ConsoleRequestPage): number {
  return request.segments.length + request.features.reduce((sum, { changes }) => sum + changes.length, 0);
}
