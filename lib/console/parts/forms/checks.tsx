import './checks.css';
import type { ComponentChildren, JSX } from 'preact';

interface CheckProps {
  readonly label: ComponentChildren;
  readonly hint?: string | undefined;
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
}

/** A checkbox with its text. */
export function Check({ label, hint, isChecked, onCheck, isDisabled = false }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onCheck(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
}

interface ChecksProps<T extends string | number> {
  readonly label: string;
  readonly choices: readonly (readonly [value: T, text: string, hint?: string | undefined])[];
  readonly chosen: readonly T[];
  readonly onChange: (chosen: T[]) => void;
  readonly isDisabled?: boolean;
  /** False if its label is shown elsewhere. */
  readonly isTitled?: boolean;
}

/** Checkboxes for the values of a list. */
export function Checks<T extends string | number>({
  label,
  choices,
  chosen,
  onChange,
  isDisabled = false,
  isTitled = true,
}: ChecksProps<T>): JSX.Element {
  return (
    <fieldset class="checks" disabled={isDisabled}>
      <legend class={isTitled ? '' : 'hidden'}>{label}</legend>
      <div>
        {choices.map(([value, text, hint]) => (
          <Check
            key={value}
            label={text}
            hint={hint}
            isChecked={chosen.includes(value)}
            onCheck={(isChecked) => onChange(isChecked ? [...chosen, value] : chosen.filter((each) => each !== value))}
          />
        ))}
      </div>
    </fieldset>
  );
}
