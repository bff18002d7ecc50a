/** A group as the store holds it. */
export interface GroupItem {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
  /** The id of the root role that all members hold. */
  readonly rootRole?: number;
  readonly createdBy: string;
  readonly createdAt: string;
  /** JSON: SSO groups mapped to this one. */
  readonly mappingsSSO: string;
  /** JSON: ids of the projects where the group is used. */
  readonly projects: string;
  /** JSON: who is in it, since when and by whom. */
  readonly members: string;
}

interface Member {
  readonly userId: number;
  readonly joinedAt: string;
  readonly createdBy: string;
}

export interface Group extends Omit<GroupItem, 'mappingsSSO' | 'projects' | 'members'> {
  readonly mappingsSSO: readonly string[];
  readonly projects: readonly string[];
  readonly members: readonly Member[];
}

export function groupFrom({ mappingsSSO, projects, members, ...fields }: GroupItem): Group {
  return {
    ...fields,
    mappingsSSO: JSON.parse(mappingsSSO),
    projects: JSON.parse(projects),
    members: JSON.parse(members),
  };
}

export function groupItem({ mappingsSSO, projects, members, ...fields }: Group): GroupItem {
  return {
    ...fields,
    mappingsSSO: JSON.stringify(mappingsSSO),
    projects: JSON.stringify(projects),
    members: JSON.stringify(members),
  };
}
