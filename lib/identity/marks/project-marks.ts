import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { type ActingAs, callerOf, forgetUser } from '../caller.ts';
import { forget, remember } from '../identity-memory.ts';
import { isMember } from '../permissions.ts';
import * as markKeys from './keys.ts';

const none: ReadonlySet<string> = new Set();

/** Mark of an override of the approval that changes need in an environment of a project, which one person has. */
export interface OverrideMark {
  /** The id of its change request. */
  readonly id: number;
  readonly project: string;
  readonly environment: string;
  readonly holder: number;
  /** The moment from which it holds, and the one until which it does. */
  readonly from: string;
  readonly until: string;
}

/** Marks of projects, which every request of the admin API looks at. */
interface ProjectMarks {
  /** The ids of the private ones. */
  readonly private: ReadonlySet<string>;
  /** The environments in which changes need approval, by project. */
  readonly protected: ReadonlyMap<string, ReadonlySet<string>>;
  /** Overrides of the approval, also such as have ended or are to begin. */
  readonly overrides: readonly OverrideMark[];
  /** Administrators need no approval. */
  readonly adminsSkip: boolean;
}

const memoryId = 'marks of projects';

/** Reads the marks of all projects; a change by another process is known here within `identityTrustMs`. */
export async function projectMarks(request: Request): Promise<ProjectMarks> {
  const marks = await remember(request, memoryId, () => loadProjectMarks(request));
  return marks ?? { private: none, protected: new Map(), overrides: [], adminsSkip: true };
}

/** Reads the marks again after a change of them, so that it holds here at once. */
export async function renewProjectMarks(request: Request): Promise<void> {
  forget(request, memoryId);
  await projectMarks(request);
}

/** Reads the ids of all private projects, as `projectMarks` does. */
export async function privateProjects(request: Request): Promise<ReadonlySet<string>> {
  return (await projectMarks(request)).private;
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

async function loadProjectMarks(request: Request): Promise<ProjectMarks> {
  const items = await queryAll<Key | (Key & OverrideMark)>(request, markKeys.projectMarks());
  const overrides = items.filter((item) => 'holder' in item);
  const all = items.flatMap((item) => ('holder' in item ? [] : [item.sk]));
  const admins = markKeys.adminsNeedApproval().sk;
  const places = all.filter((mark) => mark !== admins).map((mark) => mark.split('#'));
  const [whole, environments] = [
    places.filter(({ length }) => length === 1),
    places.filter(({ length }) => length === 2),
  ];
  const byProject = Map.groupBy(environments, ([project = '']) => project);
  return {
    private: new Set(whole.map(([project = '']) => project)),
    protected: new Map([...byProject].map(([project, of]) => [project, new Set(of.map(([, name = '']) => name))])),
    overrides,
    adminsSkip: !all.includes(admins),
  };
}
