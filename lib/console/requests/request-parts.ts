import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import type { ApiAddress } from '../data/address.ts';
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

/** Counts the changes of a request. */
export function countChanges({ request }: ConsoleRequestPage): number {
  return request.segments.length + request.features.reduce((sum, { changes }) => sum + changes.length, 0);
}
