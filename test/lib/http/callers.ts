import { type Group, groups as groupEntity } from '../../../lib/identity/groups.ts';
import { type ProjectRole, projectRoles } from '../../../lib/identity/permissions.ts';
import type { TokenRequest } from '../../../lib/identity/tokens/tokens.ts';
import { type User, users as userEntity } from '../../../lib/identity/users.ts';
import type { Request } from '../../../lib/request.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import type { SpecifiedRole } from '../../specifications/specification.ts';

/** The two projects that requests go to. */
export const testProjects = ['shop', 'default'] as const;
export type TestProject = (typeof testProjects)[number];

/** Ids of root roles; 6 is that of a role in projects, which is worth nothing as one. */
const [noRole, admin, editor, viewer] = [6, 1, 2, 3];

/** The groups, by their root role; the last has a project and no role. */
const groups = { admins: admin, editors: editor, viewers: viewer, shopkeepers: undefined };
type GroupName = keyof typeof groups;

/** Somebody who asks. */
export interface TestCaller {
  readonly name: string;
  /** The id of their root role; undefined for the holder of an admin token, who is no user. */
  readonly root: number | undefined;
  readonly projects?: Partial<Record<TestProject, ProjectRole>>;
  readonly groups?: readonly GroupName[];
  /** Role whose rights they must have in each project: of theirs, the one that allows most there. */
  readonly as: Readonly<Record<TestProject, SpecifiedRole>>;
}

const everywhere = (role: SpecifiedRole) => ({ shop: role, default: role });

export const callers: readonly TestCaller[] = [
  { name: 'an admin token', root: undefined, as: everywhere('Admin') },
  { name: 'an Admin', root: admin, as: everywhere('Admin') },
  { name: 'an Editor', root: editor, as: everywhere('Editor') },
  { name: 'a Viewer', root: viewer, as: everywhere('Viewer') },
  { name: 'an Owner', root: viewer, projects: { shop: 'Owner' }, as: { shop: 'Owner', default: 'Viewer' } },
  { name: 'a Member', root: viewer, projects: { shop: 'Member' }, as: { shop: 'Member', default: 'Viewer' } },
  {
    name: 'a Member who owns another project',
    root: viewer,
    projects: { shop: 'Member', default: 'Owner' },
    as: { shop: 'Member', default: 'Owner' },
  },
  { name: 'a user without a role', root: noRole, as: everywhere('Viewer') },
  {
    name: 'an Owner without a root role',
    root: noRole,
    projects: { shop: 'Owner' },
    as: { shop: 'Owner', default: 'Viewer' },
  },
  { name: 'a Viewer among admins', root: viewer, groups: ['admins'], as: everywhere('Admin') },
  { name: 'a user without a role among editors', root: noRole, groups: ['editors'], as: everywhere('Editor') },
  { name: 'an Editor among viewers', root: editor, groups: ['viewers'], as: everywhere('Editor') },
  {
    name: 'a Member among viewers and editors',
    root: viewer,
    projects: { shop: 'Member' },
    groups: ['viewers', 'editors'],
    as: everywhere('Editor'),
  },
  { name: 'a Viewer in the group of a project', root: viewer, groups: ['shopkeepers'], as: everywhere('Viewer') },
];

const groupNames = Object.keys(groups) as GroupName[];
const createdAt = '2026-01-01T00:00:00.000Z';
/** Ids far from those that a prepared store gives out. */
export const groupId = (name: GroupName) => 100 + groupNames.indexOf(name);
const userId = ({ name }: TestCaller) => 100 + callers.findIndex((caller) => caller.name === name);

/** Adds the users and the groups. */
export async function addCallers(table: Request): Promise<void> {
  const at = new Date().toISOString();
  const users = callers.filter(({ root }) => root !== undefined);
  await transact(
    table,
    [
      ...users.flatMap((caller) => userEntity.buildCreationEffects(userOf(caller), at).writes),
      ...groupNames.flatMap((name) => groupEntity.buildCreationEffects(groupOf(name), at).writes),
    ],
    undefined,
  );
}

/** A role in a project, as a user has it. */
export function inProject(project: string, role: ProjectRole) {
  return { project, roles: [projectRoles[role]], addedAt: createdAt };
}

export function userOf(caller: TestCaller): User {
  return {
    id: userId(caller),
    username: caller.name,
    rootRole: caller.root ?? noRole,
    createdAt,
    projectRoles: Object.entries(caller.projects ?? {}).map(([project, role]) => inProject(project, role)),
    groups: (caller.groups ?? []).map(groupId),
  };
}

/** Returns the request for a token of a caller. */
export function tokenRequestOf(caller: TestCaller): TokenRequest {
  return caller.root === undefined ? { kind: 'admin', name: 'ci' } : { kind: 'user', user: userOf(caller) };
}

function groupOf(name: GroupName): Group {
  const members = callers.filter((caller) => caller.groups?.includes(name));
  const rootRole = groups[name];
  return {
    id: groupId(name),
    name: `${name} of this test`,
    ...(rootRole !== undefined && { rootRole }),
    createdBy: 'admin',
    createdAt,
    mappingsSSO: [],
    projectRoles: rootRole === undefined ? [{ project: 'shop', roles: [], addedAt: createdAt }] : [],
    members: members.map((member) => ({ userId: userId(member), joinedAt: createdAt, createdBy: 'admin' })),
  };
}
