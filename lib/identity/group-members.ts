/** A user or a service account in a group. */
export interface Member {
  readonly userId: number;
  readonly joinedAt: string;
  readonly createdBy: string;
  /** An identity provider added this member, and removes them again. */
  readonly isSignedOn?: true;
  /** A directory added this member by SCIM, and removes them again. */
  readonly isProvisioned?: true;
}

/** The members of a group whom one author has added in one way, in the order in which they joined. */
interface StoredMembers extends Omit<Member, 'userId' | 'joinedAt'> {
  readonly userIds: readonly number[];
  /** The milliseconds between the times at which the members joined: for the first one since 1970, for others since the one before. */
  readonly intervals: readonly number[];
}

/**
 * Returns the members of a group in the form in which they are stored. Each change of a member writes the whole item of the group, and
 * the store charges for its size, so that what many members share is stored once.
 */
export function encodeMembers(members: readonly Member[]): StoredMembers[] {
  const alike = Map.groupBy(members, ({ createdBy, isSignedOn, isProvisioned }) =>
    JSON.stringify([createdBy, isSignedOn, isProvisioned]),
  );
  return [...alike.values()].map((group) => {
    const [{ userId: _id, joinedAt: _at, ...shared }] = group as [Member, ...Member[]];
    const times = group.map(({ joinedAt }) => Date.parse(joinedAt));
    return {
      ...shared,
      userIds: group.map(({ userId }) => userId),
      intervals: times.map((time, index) => time - (times[index - 1] ?? 0)),
    };
  });
}

/** Returns the members of a group from the form in which they are stored. */
export function decodeMembers(stored: readonly StoredMembers[]): Member[] {
  return stored.flatMap(({ userIds, intervals, ...shared }) => {
    let time = 0;
    let joinedAt = '';
    return userIds.map((userId, index) => {
      const interval = intervals[index] ?? 0;
      time += interval;
      // Many join at the same time, and a time takes longer to format than the rest.
      if (interval !== 0 || index === 0) joinedAt = new Date(time).toISOString();
      return { userId, joinedAt, ...shared };
    });
  });
}
