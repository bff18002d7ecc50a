import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../field.tsx';
import { TextField } from './text-field.tsx';

const dayMs = 24 * 60 * 60 * 1_000;

const choices = [
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['date', 'On a date'],
] as const;

interface ExpiryFieldProps {
  /** The days that are chosen at first; undefined for never. */
  readonly days?: number | undefined;
  /** Called with the time; with null for never, and with undefined while no date is chosen. */
  readonly onChange: (expiresAt: string | null | undefined) => void;
  readonly hasNever?: boolean;
}

/** The time at which something expires. */
export function ExpiryField({ days, onChange, hasNever = true }: ExpiryFieldProps): JSX.Element {
  const [choice, setChoice] = useState(days === undefined ? 'never' : String(days));
  function choose(chosen: string): void {
    setChoice(chosen);
    if (chosen === 'date') onChange(undefined);
    else onChange(chosen === 'never' ? null : daysFromNow(Number(chosen)));
  }
  return (
    <div class="form-pair">
      <Field label="Expires">
        <select class="input" value={choice} onChange={(event) => choose(event.currentTarget.value)}>
          {hasNever && <option value="never">Never</option>}
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </Field>
      {choice === 'date' && (
        <TextField
          label="Date"
          type="date"
          min={daysFromNow(1).slice(0, 10)}
          required
          onInput={(value) => onChange(endOfDay(value))}
        />
      )}
    </div>
  );
}

/** Returns the time after some days, as ISO 8601. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString();
}

function endOfDay(date: string): string | undefined {
  return date === '' ? undefined : new Date(`${date}T23:59:59`).toISOString();
}
