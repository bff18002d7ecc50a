import type { ConsoleStart } from '../../screens/start-schema.ts';
import { getConsoleStart } from '../calls/sign-in.ts';
import { type CacheEntry, useRead } from '../data/cache.ts';

/** The address of the data that every page needs. */
export const startPath = getConsoleStart({});

/** The time between two reads of these data. They change rarely, and the service reads all open change requests for them. */
const startEveryMs = 60_000;

/** Returns the data that every page needs, and reads them again each minute. */
export function useStart(): CacheEntry<ConsoleStart> {
  return useRead(startPath, startEveryMs);
}

/** Tells whether the reader has a permission: in a project and an environment, if it is a permission of these. */
export function mayIn(
  start: ConsoleStart | undefined,
  permission: string,
  project?: string,
  environment?: string,
): boolean {
  return (start?.permissions ?? []).some(
    (grant) =>
      (grant.permission === 'ADMIN' || grant.permission === permission) &&
      (grant.project === undefined || grant.project === '*' || grant.project === project) &&
      (grant.environment === undefined || grant.environment === '*' || grant.environment === environment),
  );
}

/** Returns the name of a project; its id for one that the reader does not see. */
export function projectNameOf(start: ConsoleStart | undefined, project: string | undefined): string {
  return start?.projects.find(({ id }) => id === project)?.name ?? project ?? '';
}

/** Tells whether the reader is an Admin. */
export function isAdmin(start: ConsoleStart | undefined): boolean {
  return start?.permissions.some(({ permission }) => permission === 'ADMIN') ?? false;
}
