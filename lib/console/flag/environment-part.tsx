import type { JSX } from 'preact';
import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { FlagChange } from '../change/change-way.ts';
import { Plan } from '../plan/plan.tsx';
import { UsePlan } from '../plan/use-plan.tsx';
import { SafeguardDialog } from '../safeguards/safeguard-dialog.tsx';
import { Safeguards } from '../safeguards/safeguards.tsx';

interface EnvironmentPartProps {
  readonly part: 'plan' | 'safeguards' | 'use-plan' | 'new-safeguard';
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  readonly onChange: (change: FlagChange) => void;
  readonly onClose: () => void;
}

/** The parts of an environment that few flags have: its release plan, its safeguards, and the dialogs that add them. */
export function EnvironmentPart({ part, ...props }: EnvironmentPartProps): JSX.Element | null {
  const [plan] = props.environment.releasePlans;
  switch (part) {
    case 'plan':
      return plan === undefined ? null : <Plan {...props} plan={plan} />;
    case 'safeguards':
      return <Safeguards {...props} />;
    case 'use-plan':
      return <UsePlan {...props} />;
    case 'new-safeguard':
      return <SafeguardDialog {...props} />;
  }
}
