import type { FeatureType } from '../features/types/feature-type-schema.ts';
import type { Members } from '../identity/accounts.ts';
import { countMembers } from '../identity/count-members.ts';
import type { ProjectWeek } from '../usage/project-weeks.ts';
import type { IsoWeek } from '../values/iso-week.ts';
import type { PastFlag, PastState, WeekActivity } from './past-state.ts';
import type { ProjectTrend, WeekTrend } from './trend-items.ts';

const dayMs = 86_400_000;
/** The longest time between the last sign-in of an active user and the end of a week, as on Unleash. */
const activeMs = 60 * dayMs;
/** The period before the end of a week whose flags count for the time to production: twelve weeks. */
const productionMs = 84 * dayMs;
/** The age up to which a week gets the present numbers of members. Earlier members are stored nowhere. */
const membersMs = 7 * dayMs;

/** The present facts that numbers depend on besides the events. */
export interface PresentFacts {
  readonly now: number;
  readonly types: readonly FeatureType[];
  readonly members: Members;
}

/**
 * Computes the numbers of a week.
 * @param state the state at its end.
 * @param evaluations those that SDKs have reported, by project.
 */
export function summarizeWeek(
  { end }: IsoWeek,
  state: PastState,
  activity: WeekActivity,
  evaluations: ReadonlyMap<string, ProjectWeek>,
  facts: PresentFacts,
): WeekTrend {
  const at = Math.min(end, facts.now);
  const flags = Map.groupBy(state.flags.values(), ({ project }) => project);
  const projects = new Set([...flags.keys(), ...activity.keys(), ...evaluations.keys()]);
  const trends = [...projects].toSorted().map((project): [string, ProjectTrend] => {
    const events = activity.get(project);
    const metrics = evaluations.get(project);
    const hasMembers = at > facts.now - membersMs;
    return [
      project,
      {
        ...summarizeFlags(flags.get(project) ?? [], at, facts.types),
        ...(hasMembers && { users: countMembers(facts.members, project) }),
        newProductionFlags: events?.newInProduction ?? 0,
        archivedFlags: events?.archived ?? 0,
        createdFlags: Object.fromEntries(events?.created ?? []),
        updates: Object.fromEntries(events?.updates ?? []),
        ...(metrics !== undefined && { metrics }),
      },
    ];
  });
  return { users: countUsers(state, facts, at), projects: Object.fromEntries(trends) };
}

function summarizeFlags(flags: readonly PastFlag[], at: number, types: readonly FeatureType[]) {
  const lifetimes = new Map(
    types.map(({ id, lifetimeDays }) => [id, (lifetimeDays ?? Number.POSITIVE_INFINITY) * dayMs]),
  );
  const live = flags.filter(({ isArchived }) => !isArchived);
  const isOld = ({ type, createdAt }: PastFlag) => at - createdAt > (lifetimes.get(type) ?? Number.POSITIVE_INFINITY);
  const days = flags.flatMap(({ type, createdAt, inProductionAt }) => {
    if (type !== 'release' || inProductionAt === null || inProductionAt <= at - productionMs) return [];
    return [(inProductionAt - createdAt) / dayMs];
  });
  const average = days.reduce((sum, count) => sum + count, 0) / days.length;
  return {
    total: live.length,
    stale: live.filter(({ isStale }) => isStale).length,
    potentiallyStale: live.filter((flag) => !flag.isStale && isOld(flag)).length,
    ...(days.length > 0 && { timeToProduction: Math.round(average * 10) / 10 }),
  };
}

/**
 * Counts users: those of the events, since deleted ones are stored nowhere else, and those of today. Only the last sign-in of a user is
 * stored, so somebody who signed in after the week counts as active in it.
 */
function countUsers({ users }: PastState, { members }: PresentFacts, at: number): WeekTrend['users'] {
  const existing = members.users.filter(({ createdAt }) => Date.parse(createdAt) <= at);
  const total = new Set([...users, ...existing.map(({ id }) => id)]).size;
  const active = existing.filter(({ seenAt }) => seenAt !== undefined && Date.parse(seenAt) > at - activeMs).length;
  return { total, active };
}
