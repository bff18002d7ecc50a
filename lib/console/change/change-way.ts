import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import type { AskedChange } from '../calls/requests.ts';
import { isAdmin, mayIn } from '../reader/start.ts';

/** A switch of a flag in an environment. */
export interface SwitchPlace {
  readonly flag: string;
  readonly project: string;
  readonly environment: string;
  /** Approvals that a change needs there; undefined if it needs none. */
  readonly approvals: number | undefined;
}

/** A change of a flag, which is carried out directly or added to a change request. */
export interface FlagChange {
  readonly place: SwitchPlace;
  /** A question that names the object: "Remove “Beta testers” in production?". */
  readonly title: string;
  readonly verb: string;
  readonly isDanger?: boolean;
  /** Tells whether a dialog asks first, even when the change needs no approval. */
  readonly isAsked: boolean;
  /** The strategies that SDKs get after the change, if the dialog says which share of users gets the flag. */
  readonly reach?: { readonly environment: FeatureEnvironmentView; readonly after: readonly StrategyView[] };
  readonly effect: string;
  /** The change as a change request has it; missing for one that needs no approval anywhere. */
  readonly request?: AskedChange;
  readonly send: (ifMatch: string | undefined) => Promise<unknown>;
  /** Returns the part of the flag that the change is about. If others have changed only other parts, the change is sent again. */
  readonly part: (flag: ConsoleFlag) => unknown;
  /** The message after the change. */
  readonly done: string;
  readonly undo?: () => Promise<unknown>;
  /** The page to open after the change; undefined to stay. */
  readonly next?: string;
}

/** The way in which a change is made: directly, or by a request for approval. */
type Way = 'direct' | 'approval';

/** Returns the way in which the reader changes what applications get in an environment. Admins ask for approval, too. */
export function wayOf(start: ConsoleStart | undefined, { project, environment, approvals }: SwitchPlace): Way {
  if (approvals === undefined) return 'direct';
  const maySkip = mayIn(start, 'SKIP_CHANGE_REQUEST', project, environment) && !isAdmin(start);
  return maySkip || hasOverride(start, project, environment) ? 'direct' : 'approval';
}

/** Tells whether the reader may make a change without the approval that it needs: Admins may if the settings allow it. */
export function maySkipApproval(start: ConsoleStart | undefined, place: SwitchPlace): boolean {
  return wayOf(start, place) === 'approval' && isAdmin(start) && start?.adminsSkip === true;
}

/** Tells whether the reader overrides approval in an environment now. */
export function hasOverride(start: ConsoleStart | undefined, project: string, environment: string): boolean {
  return (start?.overrides ?? []).some(
    (each) =>
      each.createdBy.id === start?.user.id &&
      each.project === project &&
      each.environment === environment &&
      // In some environments, an override begins later, so that others can end it before.
      each.from <= new Date().toISOString(),
  );
}

/** Returns the reason against switching a flag; undefined if the reader may, directly or by a request. */
export function reasonAgainstSwitch(start: ConsoleStart | undefined, place: SwitchPlace): string | undefined {
  return reasonAgainst(start, 'UPDATE_FEATURE_ENVIRONMENT', place, 'switch flags');
}

/**
 * Returns the reason against a change in an environment; undefined if the reader may make it, directly or by a request.
 * @param act the thing that the permission allows, such as "switch flags".
 */
export function reasonAgainst(
  start: ConsoleStart | undefined,
  permission: string,
  { project, environment }: Pick<SwitchPlace, 'project' | 'environment'>,
  act: string,
): string | undefined {
  if (start === undefined) return undefined;
  if (start.isInMaintenance) return 'Maintenance: nothing can be changed for now.';
  return mayIn(start, permission, project, environment)
    ? undefined
    : `Needs the permission to ${act} in ${environment}.`;
}
