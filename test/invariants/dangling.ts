import type { Item } from '../harness/items.ts';
import {
  archivedIn,
  idsIn,
  isDefaultStrategy,
  isGroup,
  isProject,
  isServiceAccountItem,
  isUser,
  namings,
  parsed,
} from './namings.ts';

/**
 * Lists the names in a table of things that are gone. Contents of a project or an environment under deletion may still
 * await removal.
 */
export function dangling(items: readonly Item[]): string[] {
  const present = idsIn(items);
  const archived = archivedIn(items);
  const ofLive = items.filter(({ pk }) => !archived.has(/^FEATURE#([^#]+)$/.exec(pk)?.[1] ?? ''));
  const gone = namings.flatMap(({ by, to, whileLive, idsIn: namedIn }) =>
    (whileLive ? ofLive : items).flatMap((item) =>
      namedIn(item)
        .filter((id) => !present[to].has(String(id)))
        .map((id) => `${item.pk} ${item.sk}, ${by}, names the ${to} ${id}, which is gone.`),
    ),
  );
  return [...gone, ...defaultStrategyProblems(items), ...membershipProblems(items)];
}

/** Lists default strategies of environments that their project does not have. */
function defaultStrategyProblems(items: readonly Item[]): string[] {
  const projects = new Map(
    items.filter(isProject).map(({ pk, environments }) => {
      return [pk, parsed<{ readonly name: string }>(environments).map(({ name }) => name)];
    }),
  );
  return items.filter(isDefaultStrategy).flatMap(({ pk, sk }) => {
    const has = projects.get(pk)?.includes(sk.slice('DEFAULT_STRATEGY#'.length)) ?? true;
    return has ? [] : [`${pk} ${sk} is of an environment that the project does not have.`];
  });
}

/** Rights follow from the groups that an account names, and groups show their members: both say the same. */
function membershipProblems(items: readonly Item[]): string[] {
  const accounts = items.filter((item) => isUser(item) || isServiceAccountItem(item));
  const ids = new Set(accounts.map(({ id }) => Number(id)));
  const byAccounts = accounts.flatMap(({ id, groups }) => parsed<number>(groups).map((group) => `${id} in ${group}`));
  const byGroups = items.filter(isGroup).flatMap(({ id, members, memberships }) => {
    const stored = parsed<{ readonly userIds: readonly number[] }>(memberships).flatMap(({ userIds }) => userIds);
    // Releases up to 0.6 stored members one by one.
    const older = parsed<{ readonly userId: number }>(members).map(({ userId }) => userId);
    return [...stored, ...older].filter((userId) => ids.has(userId)).map((userId) => `${userId} in ${id}`);
  });
  const [known, meant] = [byAccounts.toSorted().join(', '), byGroups.toSorted().join(', ')];
  return known === meant ? [] : [`Accounts say that they are [${known}], and groups that they have [${meant}].`];
}
