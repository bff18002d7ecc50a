import { ReplyBudget } from '../../events/reply-budget.ts';
import type { Account } from '../../identity/accounts.ts';
import type { Group } from '../../identity/groups.ts';
import type { Request } from '../../request.ts';

interface ViewWithMembers {
  readonly users?: unknown;
  readonly userCount: number;
}

type Accounts = ReadonlyMap<number, Account>;

/**
 * Returns the views of all groups of a reply with their members. If these do not fit, no group has members, so that nobody takes some
 * of them for all, and a warning tells the caller.
 * @param view returns the view of a group, with those of its members who are among the accounts.
 * @param others what else is in the reply.
 */
export function viewGroups<G extends Group, View extends ViewWithMembers>(
  request: Request,
  groups: readonly G[],
  accounts: Accounts,
  view: (group: G, accounts: Accounts) => View,
  others: unknown = null,
): (View | Omit<View, 'users'>)[] {
  const budget = new ReplyBudget();
  budget.take(JSON.stringify(others));
  const views: View[] = [];
  for (const group of groups) {
    const whole = view(group, accounts);
    if (!budget.take(JSON.stringify(whole))) {
      request.warnings.add('Members of groups are left out, since there are too many. Ask for single groups.');
      return groups.map((each) => {
        const { users: _, ...counted } = view(each, new Map());
        return { ...counted, userCount: each.members.filter(({ userId }) => accounts.has(userId)).length };
      });
    }
    views.push(whole);
  }
  return views;
}
