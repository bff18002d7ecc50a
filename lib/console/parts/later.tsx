import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showProblem } from './toasts.tsx';

interface LaterProps<P> {
  /** Loads the script; the same function each time. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
}

/** A part of the page whose script is loaded when it is first shown. */
export function Later<P extends object>({ load, props }: LaterProps<P>): JSX.Element | null {
  const [Part, setPart] = useState<ComponentType<P>>();
  useEffect(() => {
    load().then(
      (loaded) => setPart(() => loaded),
      () => showProblem('This could not be loaded. Load the page again: Flagstaff may have a new release.'),
    );
  }, [load]);
  return Part === undefined ? null : <Part {...props} />;
}
