import type { JSX } from 'preact';
import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { overwriteEnvironmentFeatureVariants } from '../calls/strategies.ts';
import { type FlagChange, reasonAgainst } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useStart } from '../reader/start.ts';
import { VariantBar } from '../strategy/strategy-view.tsx';

interface FlagVariantsProps {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  readonly onChange: (change: FlagChange) => void;
}

/** The variants that a flag has of its own, as it could before strategies had them. New ones are made on strategies. */
export function FlagVariants({ flag, environment, onChange }: FlagVariantsProps): JSX.Element {
  const { value: start } = useStart();
  const { name, variants } = environment;
  const place = placeOf(flag, name);
  return (
    <div class="environment-variants">
      <h3>
        Variants of the flag
        <Button
          kind="quiet"
          aria-label={`Remove the variants of the flag in ${name}`}
          reason={reasonAgainst(start, 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', place, 'edit variants')}
          onClick={() => onChange(removeVariants(flag, environment))}
        >
          <Icon name="trash" />
        </Button>
      </h3>
      <VariantBar variants={variants} />
      <small>For users whose strategy has no variants. New variants are made on strategies.</small>
    </div>
  );
}

function removeVariants(flag: ConsoleFlag, { name: environment, type, variants }: FeatureEnvironmentView): FlagChange {
  const { name: feature, project } = flag.feature;
  const values = { projectId: project, featureName: feature, environment };
  const variantsIn = (changed: ConsoleFlag) =>
    changed.feature.environments.find(({ name }) => name === environment)?.variants;
  return {
    place: placeOf(flag, environment),
    title: `Remove the variants of ${feature} in ${environment}?`,
    verb: 'Remove',
    isDanger: true,
    isAsked: type === 'production',
    effect: `Users whose strategy has no variants no longer get ${variants.map(({ name }) => name).join(' or ')}. Whether they get the flag stays as it is.`,
    request: { feature, action: 'patchVariant', payload: { variants: [] } },
    send: (ifMatch) => overwriteEnvironmentFeatureVariants(values, { body: [], ifMatch }),
    part: variantsIn,
    done: `Removed the variants of ${feature} in ${environment}`,
    undo: () => overwriteEnvironmentFeatureVariants(values, { body: variants }),
  };
}
