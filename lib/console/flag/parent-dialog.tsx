import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { listParentOptions, listParentVariantOptions } from '../calls/flags.ts';
import type { FlagChange } from '../change/change-way.ts';
import { useRead } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Chips, toggle } from '../parts/forms/chips.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { removeParents, setParent } from './flag-changes.ts';

export interface ParentDialogProps {
  readonly flag: ConsoleFlag;
  readonly onChange: (change: FlagChange) => void;
  readonly onClose: () => void;
}

/** Chooses the flag that a flag depends on, and the state that it must have. */
export function ParentDialog({ flag, onChange, onClose }: ParentDialogProps): JSX.Element {
  const { name, project, dependencies, children } = flag.feature;
  const [opened] = dependencies;
  const [parent, setParentName] = useState(opened?.feature ?? '');
  const [isOn, setOn] = useState(opened?.enabled ?? true);
  const [variants, setVariants] = useState<readonly string[]>(opened?.variants ?? []);
  const { value: options } = useRead(listParentOptions({ projectId: project, featureName: name }), 60_000);
  const { value: known } = useRead(
    parent === '' ? undefined : listParentVariantOptions({ projectId: project, featureName: parent }),
    60_000,
  );
  const isParent = children.length > 0;
  const names = [...new Set([...(parent === '' ? [] : [parent]), ...(options ?? [])])];

  function save(): void {
    if (parent !== '') onChange(setParent(flag, { feature: parent, enabled: isOn, ...(isOn && { variants }) }));
    else if (dependencies.length > 0) onChange(removeParents(flag));
  }

  return (
    <Confirm
      title={`Which flag does ${name} depend on?`}
      verb="Save"
      reason={isParent ? `Other flags depend on ${name}, so it cannot depend on one itself.` : undefined}
      act={save}
      onClose={onClose}
    >
      <p>It is on only while the other flag is as you say, in every environment.</p>
      <SelectField
        label="Flag"
        value={parent}
        options={[['', 'None'], ...names]}
        onChoose={(value) => {
          setParentName(value);
          setVariants([]);
        }}
      />
      {parent !== '' && (
        <SelectField
          label="It must be"
          value={isOn ? 'on' : 'off'}
          options={[
            ['on', 'On'],
            ['off', 'Off'],
          ]}
          onChoose={(value) => setOn(value === 'on')}
        />
      )}
      {parent !== '' && isOn && (known?.length ?? 0) > 0 && (
        <Chips
          label="With one of these variants"
          options={(known ?? []).map((variant) => [variant, variant] as const)}
          chosen={variants}
          onPress={(variant) => setVariants(toggle(variants, variant))}
        />
      )}
    </Confirm>
  );
}
