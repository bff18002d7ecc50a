import { toggleFeatureEnvironmentOff, toggleFeatureEnvironmentOn } from '../calls/flags.ts';
import type { SwitchPlace } from '../change/change-way.ts';
import type { ApiAddress } from '../data/address.ts';
import { patch, reload } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { showMessage, showProblem } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';

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
