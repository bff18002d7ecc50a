import type { JSX } from 'preact';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { type LengthUnit, lengthUnits, type TypedLength } from './milestone-length.ts';

interface LengthFieldsProps {
  readonly label: string;
  readonly value: TypedLength;
  readonly problem: string | undefined;
  readonly onChange: (typed: TypedLength) => void;
}

/** The time of a milestone: a number and its unit. */
export function LengthFields({ label, value, problem, onChange }: LengthFieldsProps): JSX.Element {
  return (
    <>
      <TextField
        label={label}
        type="number"
        min={1}
        required
        value={value.count}
        problem={problem}
        onInput={(count) => onChange({ ...value, count })}
      />
      <SelectField<LengthUnit>
        label="Unit"
        value={value.unit}
        options={Object.keys(lengthUnits) as LengthUnit[]}
        onChoose={(unit) => onChange({ ...value, unit })}
      />
    </>
  );
}
