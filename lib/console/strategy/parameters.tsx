import type { JSX } from 'preact';
import { Field } from '../parts/field.tsx';
import { StickinessField } from '../parts/forms/stickiness-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import type { Draft } from './draft.ts';

interface ParametersProps {
  readonly draft: Draft;
  readonly onSet: (name: string, value: string) => void;
}

/** The share of users of a gradual rollout, and what it goes by. */
export function Rollout({ draft, onSet }: ParametersProps): JSX.Element {
  const { rollout = '100', stickiness = 'default' } = draft.parameters;
  return (
    <>
      <div class="rollout">
        <Field label="Share of users">
          <input
            type="range"
            min={0}
            max={100}
            value={rollout}
            onInput={(event) => onSet('rollout', event.currentTarget.value)}
          />
        </Field>
        <TextField
          label="Per cent"
          type="number"
          min={0}
          max={100}
          value={rollout}
          onInput={(value) => onSet('rollout', value)}
        />
      </div>
      <StickinessField value={stickiness} onChoose={(value) => onSet('stickiness', value)} />
    </>
  );
}

/** The parameters of a strategy of another type than a gradual rollout. */
export function Parameters({ draft, onSet }: ParametersProps): JSX.Element {
  return (
    <>
      {Object.entries(draft.parameters).map(([name, value]) => (
        <TextField key={name} label={name} value={value} onInput={(value) => onSet(name, value)} />
      ))}
    </>
  );
}
