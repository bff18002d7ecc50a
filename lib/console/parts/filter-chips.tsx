import './chip.css';
import type { JSX } from 'preact';
import { setQuery } from '../browser/router.ts';

interface FilterChipsProps<T extends string> {
  readonly choices: readonly (readonly [value: T, label: string])[];
  readonly chosen: string | undefined;
  readonly countOf: (value: T) => number;
}

/** Filters of a list with their counts, kept as `show` in the address. Filters without a match are left out. */
export function FilterChips<T extends string>({ choices, chosen, countOf }: FilterChipsProps<T>): JSX.Element {
  return (
    <div class="chips">
      {choices.map(([value, label]) => {
        const count = countOf(value);
        const isPressed = chosen === value;
        if (count === 0 && !isPressed) return null;
        return (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={isPressed}
            onClick={() => setQuery({ show: isPressed ? undefined : value })}
          >
            {label} <span>{count}</span>
          </button>
        );
      })}
    </div>
  );
}
