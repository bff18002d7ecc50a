import type { ConsoleStart } from '../../screens/start-schema.ts';
import { toggleFeatureEnvironmentOff, toggleFeatureEnvironmentOn } from '../calls/flags.ts';
import type { ApiAddress } from '../data/address.ts';
import { patch, reload } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { isAdmin, mayIn, startPath } from '../data/start.ts';
import { showMessage, showProblem } from '../parts/toasts.tsx';

/** A switch of a flag in an environment. */
export interface SwitchPlace {
  readonly flag: string;
  readonly project: string;
  readonly environment: string;
  /** Approvals that a change needs there; undefined if it needs none. */
  readonly approvals: number | undefined;
}

/** The way of a change: directly, or by a request for approval. */
type Way = 'direct' | 'approval';

/** Decides how a reader changes what applications get in an environment. Admins go the way of approval, too. */
export function wayOf(start: ConsoleStart | undefined, { project, environment, approvals }: SwitchPlace): Way {
  if (approvals === undefined) return 'direct';
  const maySkip = mayIn(start, 'SKIP_CHANGE_REQUEST', project, environment) && !isAdmin(start);
  return maySkip || hasOverride(start, project, environment) ? 'direct' : 'approval';
}

/** Tells whether the reader overrides approval in an environment now. */
function hasOverride(start: ConsoleStart | undefined, project: string, environment: string): boolean {
  return (start?.overrides ?? []).some(
    (each) => each.createdBy.id === start?.user.id && each.project === project && each.environment === environment,
  );
}

/** Says why a reader cannot switch a flag; undefined if they can, directly or by a request. */
export function reasonAgainstSwitch(start: ConsoleStart | undefined, place: SwitchPlace): string | undefined {
  return reasonAgainst(start, 'UPDATE_FEATURE_ENVIRONMENT', place, 'switch flags');
}

/**
 * Says why a reader cannot do something in an environment; undefined if they can, directly or by a request.
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

/** The place where a page shows a switch. */
interface ShownSwitch<T> {
  readonly path: ApiAddress<T>;
  readonly show: (value: T, isOn: boolean) => T;
  readonly etag?: string | undefined;
}

/**
 * Switches a flag, and shows it before the service has confirmed it. Switching off carries no version: it must not fail because
 * somebody has edited a title.
 */
export async function switchFlag<T>(place: SwitchPlace, isOn: boolean, shown: ShownSwitch<T>): Promise<void> {
  const { flag, project, environment } = place;
  const values = { projectId: project, featureName: flag, environment };
  const takeBack = patch(shown.path, (value) => shown.show(value, isOn));
  try {
    if (isOn) await toggleFeatureEnvironmentOn(values, { ifMatch: shown.etag });
    else await toggleFeatureEnvironmentOff(values);
  } catch (error) {
    takeBack();
    showProblem(describeFailure(error as Refusal, flag));
    await reload(shown.path);
    return;
  }
  showMessage(`${flag} is ${isOn ? 'on' : 'off'} in ${environment}`, {
    undo: () => void switchFlag(place, !isOn, { path: shown.path, show: shown.show }),
  });
  await Promise.all([reload(shown.path), reload(startPath)]);
}

function describeFailure({ status, message }: Refusal, flag: string): string {
  return status === 412
    ? `Somebody changed ${flag} while you looked. What you see now is current: decide again.`
    : message;
}
