import { parseConfiguration, parseHead } from '../../../lib/features/items/feature-items.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import type { ReleasePlan } from '../../../lib/features/plans/release-plan.ts';
import { type Key, keyText } from '../../../lib/store/client/definition.ts';

// biome-ignore lint/suspicious/noExplicitAny: items of all kinds.
type Item = any;

/** The items of a table, by their keys as a text. */
export type PlanTable = ReadonlyMap<string, Item>;

/** A feature in an environment. */
export interface FeaturePlace {
  readonly project: string;
  readonly feature: string;
  readonly environment: string;
}

/** A feature as its items show it, whatever has led to them. */
export interface Seen {
  readonly isArchived: boolean;
  readonly isEnabled: boolean;
  readonly plan: ReleasePlan | undefined;
  readonly safeguards: number;
  /** The time in milliseconds at which the next milestone starts, as the feature has it. */
  readonly nextAt: number | undefined;
  /** The shares of the strategies that belong to the feature itself. */
  readonly own: readonly string[];
  /** The shares of the strategies that SDKs get, in their order. */
  readonly delivered: readonly string[];
  /** The entries of the feature in the lists of the clock. */
  readonly listed: readonly string[];
}

const nothing: Seen = {
  ...{ isArchived: false, isEnabled: false, plan: undefined, safeguards: 0, nextAt: undefined },
  ...{ own: [], delivered: [], listed: [] },
};

const looks = new WeakMap<PlanTable, Seen>();

/** Looks at the items of the only feature in a table. */
export function lookAtFlag(table: PlanTable, place: FeaturePlace): Seen {
  const seen = looks.get(table) ?? lookAfresh(table, place);
  looks.set(table, seen);
  return seen;
}

function lookAfresh(table: PlanTable, { project, feature, environment }: FeaturePlace): Seen {
  const itemOf = (key: Key) => table.get(keyText(key));
  const own = itemOf(featureKeys.feature(feature));
  if (own === undefined || own.deleted) return nothing;
  const { archivedAt, revision } = parseHead(own);
  const summary = revision.summaries.get(environment);
  const {
    strategies,
    plan,
    safeguards = [],
  } = parseConfiguration(itemOf(featureKeys.featureEnvironment(feature, environment)));
  const delivery = itemOf(featureKeys.delivery(project, environment, feature));
  const { nextAt } = summary?.plan ?? {};
  return {
    isArchived: archivedAt !== null,
    isEnabled: summary?.enabled ?? false,
    plan,
    safeguards: safeguards.length,
    nextAt: nextAt === undefined ? undefined : Date.parse(nextAt),
    own: shareOf(strategies),
    delivered: shareOf(delivery === undefined ? [] : JSON.parse(delivery.state).strategies),
    listed: [...table.values()]
      .filter(({ pk, sk }) => ['PLAN_STEPS', 'GUARDED'].includes(pk) && sk.endsWith(`${environment}#${feature}`))
      .map(({ pk, sk }) => `${pk} ${sk}`),
  };
}

/** Returns the shares of users of some strategies. */
export function shareOf(strategies: readonly { readonly parameters: Readonly<Record<string, string>> }[]): string[] {
  return strategies.map(({ parameters }) => parameters.rollout ?? '100');
}
