import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { type ActingAs, forgetUser, loadCaller } from '../caller.ts';
import { forget, remember } from '../identity-memory.ts';
import { isMember } from '../permissions.ts';
import * as flagKeys from './keys.ts';

const none: ReadonlySet<string> = new Set();

/** The grant to change an environment of a project without approval, for one person. */
export interface OverrideGrant {
  /** The id of its change request. */
  readonly id: number;
  readonly project: string;
  readonly environment: string;
  readonly holder: number;
  /** The first moment at which it holds, and the first at which it no longer does. */
  readonly from: string;
  readonly until: string;
}

/** Flags of projects, which every request of the admin API reads. */
interface AccessFlags {
  /** The ids of private projects. */
  readonly private: ReadonlySet<string>;
  /** The environments in which changes need approval, by project. */
  readonly protected: ReadonlyMap<string, ReadonlySet<string>>;
  /** Override grants, including those that have ended or not begun. */
  readonly overrides: readonly OverrideGrant[];
  /** Admins need no approval. */
  readonly adminsSkip: boolean;
}

const memoryId = 'access flags';

/** Loads the access flags of all projects; changes of other processes are noticed within `identityTrustMs`. */
export async function loadAccessFlags(request: Request): Promise<AccessFlags> {
  const flags = await remember(request, memoryId, () => readAccessFlags(request));
  return flags ?? { private: none, protected: new Map(), overrides: [], adminsSkip: true };
}

/** Loads the access flags again after a change of them, so that it takes effect in this process at once. */
export async function reloadAccessFlags(request: Request): Promise<void> {
  forget(request, memoryId);
  await loadAccessFlags(request);
}

/** Loads the ids of all private projects, as `loadAccessFlags` does. */
export async function loadPrivateProjects(request: Request): Promise<ReadonlySet<string>> {
  return (await loadAccessFlags(request)).private;
}

/**
 * Loads the private projects that the user of a token must not see, since they are no member. Without private projects, no user is
 * looked up.
 * @param requested project of the request: a user who has just become a member of it sees it at once.
 */
export async function loadHiddenProjects(
  request: Request,
  token: ActingAs,
  requested: string | undefined,
): Promise<ReadonlySet<string>> {
  const all = await loadPrivateProjects(request);
  if (all.size === 0) return none;
  const hidden = await hiddenAmong(request, token, all);
  if (token.userId === undefined || requested === undefined || !hidden.has(requested)) return hidden;
  forgetUser(request, token.userId);
  return hiddenAmong(request, token, all);
}

async function hiddenAmong(request: Request, token: ActingAs, all: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const caller = await loadCaller(request, token);
  return new Set([...all].filter((project) => caller === undefined || !isMember(caller.rights, project)));
}

async function readAccessFlags(request: Request): Promise<AccessFlags> {
  const items = await queryAll<Key | (Key & OverrideGrant)>(request, flagKeys.accessFlags());
  const overrides = items.filter((item) => 'holder' in item);
  const ids = items.flatMap((item) => ('holder' in item ? [] : [item.sk]));
  const admins = flagKeys.adminsNeedApproval().sk;
  const paths = ids.filter((id) => id !== admins).map((id) => id.split('#'));
  const projects = paths.filter(({ length }) => length === 1);
  const environments = paths.filter(({ length }) => length === 2);
  const byProject = Map.groupBy(environments, ([project = '']) => project);
  return {
    private: new Set(projects.map(([project = '']) => project)),
    protected: new Map(
      [...byProject].map(([project, inProject]) => [project, new Set(inProject.map(([, name = '']) => name))]),
    ),
    overrides,
    adminsSkip: !ids.includes(admins),
  };
}
