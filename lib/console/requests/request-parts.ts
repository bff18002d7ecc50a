import type { ShownChangeRequest } from '../../change-requests/change-request-schema.ts';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import type { ApiAddress } from '../data/address.ts';
import { reload } from '../data/cache.ts';
import { wordPermissions } from '../words/permissions.ts';

/** A change of a request, as its author asked for it. */
export type RequestedChange = ShownChangeRequest['features'][number]['changes'][number];

/** The warning before an edit of an approved request. */
export const approvalsEnd = 'The approvals become invalid, so others have to approve again.';

/** Properties of each part of the page of a change request. */
export interface PartProps {
  readonly page: ConsoleRequestPage;
  readonly path: ApiAddress<ConsoleRequestPage>;
}

/** Returns the reason against an action of the reader; undefined if they may take it. */
export function describeRefusal(permission: true | string): string | undefined {
  return permission === true ? undefined : wordPermissions(permission);
}

/**
 * Waits for a change of a request. If the change fails, the page is read again, since it may show why.
 * @throws the error of the change.
 */
export async function reloadOnFailure<T>(path: PartProps['path'], change: Promise<T>): Promise<T> {
  return change.catch(async (error) => {
    await reload(path);
    throw error;
  });
}

/** Lists the approvals of the current content. An edit of the request makes earlier ones invalid. */
export function listValidApprovals({
  approvals,
  contentHash,
}: ConsoleRequestPage['request']): ConsoleRequestPage['request']['approvals'] {
  return approvals.filter((approval) => approval.contentHash === contentHash);
}

/** Counts the changes of a request. */
export function countChanges({ request }: ConsoleRequestPage): number {
  return request.segments.length + request.features.reduce((sum, { changes }) => sum + changes.length, 0);
}
