import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import * as partitions from '../../store/partitions.ts';
import { queryAll } from '../../store/read.ts';
import { type ActingAs, callerOf, forgetUser } from './caller.ts';
import { remember } from './identity-memory.ts';
import { isMember } from './permissions.ts';

const none: ReadonlySet<string> = new Set();

/** Reads the ids of all private projects; a change by another process is known here within `identityTrustMs`. */
export async function privateProjects(request: Request): Promise<ReadonlySet<string>> {
  return (await remember(request, 'private projects', () => loadPrivateProjects(request))) ?? none;
}

/**
 * Returns the private projects that the holder of a token does not belong to, and so must not see. Without a private
 * project, nobody is looked up.
 * @param wanted project that the request is about: somebody who was admitted to it a moment ago sees it at once.
 */
export async function hiddenProjects(
  request: Request,
  token: ActingAs,
  wanted: string | undefined,
): Promise<ReadonlySet<string>> {
  const all = await privateProjects(request);
  if (all.size === 0) return none;
  const hidden = await hiddenAmong(request, token, all);
  if (token.userId === undefined || wanted === undefined || !hidden.has(wanted)) return hidden;
  forgetUser(request, token.userId);
  return hiddenAmong(request, token, all);
}

async function hiddenAmong(request: Request, token: ActingAs, all: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const caller = await callerOf(request, token);
  return new Set([...all].filter((project) => caller === undefined || !isMember(caller.rights, project)));
}

async function loadPrivateProjects(request: Request): Promise<ReadonlySet<string>> {
  const items = await queryAll<Key>(request, partitions.privateProjects());
  return new Set(items.map(({ sk }) => sk));
}
