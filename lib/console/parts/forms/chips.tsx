import '../chip.css';
import type { JSX } from 'preact';

interface ChipsProps<T extends string> {
  readonly label: string;
  /** False if the fields around it make its label needless. */
  readonly isTitled?: boolean;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly chosen: readonly string[];
  readonly onPress: (value: T) => void;
}

/** The values of a short list as buttons, which are pressed if they are chosen. */
export function Chips<T extends string>({
  label,
  isTitled = true,
  options,
  chosen,
  onPress,
}: ChipsProps<T>): JSX.Element {
  return (
    <fieldset>
      <legend class={isTitled ? '' : 'hidden'}>{label}</legend>
      <div class="chips">
        {options.map(([value, text]) => (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(value)}
            onClick={() => onPress(value)}
          >
            <b class="clip">{text}</b>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Adds a value to a list; removes it if it is there. */
export function toggle<T>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
}
