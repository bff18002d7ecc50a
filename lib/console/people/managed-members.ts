import type { ShownMember } from '../../people/rights/access-schema.ts';
import { personNameOf } from '../words/people.ts';

/** The members of a group that a directory manages, each kind by name. */
interface ManagedMembers {
  /** The members whom the directory has added. Only the directory removes them. */
  readonly ofDirectory: readonly ShownMember['user'][];
  /** The members who joined in another way. They can be removed here. */
  readonly others: readonly ShownMember['user'][];
}

export function splitMembers(members: readonly ShownMember[]): ManagedMembers {
  const sorted = members.toSorted((a, b) => personNameOf(a.user).localeCompare(personNameOf(b.user)));
  const { ofDirectory = [], others = [] } = Object.groupBy(sorted, ({ provisioned }) =>
    provisioned ? 'ofDirectory' : 'others',
  );
  return { ofDirectory: ofDirectory.map(({ user }) => user), others: others.map(({ user }) => user) };
}
