import './name-field.css';
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { validateFeature } from '../calls/flags.ts';
import type { Refusal } from '../data/client.ts';
import { Button } from '../parts/button.tsx';
import { FieldProblem } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { nameHint, suggestName } from './suggest-name.ts';

/** The verdict on a name that somebody types. */
type NameCheck = 'empty' | 'checking' | 'free' | { readonly problem: string };

/** Milliseconds after which somebody who types counts as having paused. */
const pauseMs = 250;

/** Checks a name for a flag while it is typed, by the rules of a project. @param project undefined to check nothing. */
export function useNameCheck(name: string, project: string | undefined): NameCheck {
  const [check, setCheck] = useState<NameCheck>('empty');
  useEffect(() => {
    if (name === '' || project === undefined) {
      setCheck('empty');
      return;
    }
    setCheck('checking');
    let isCurrent = true;
    const timer = setTimeout(() => {
      validateFeature({}, { body: { name, projectId: project } }).then(
        () => isCurrent && setCheck('free'),
        ({ message, details }: Refusal) => isCurrent && setCheck({ problem: details[0]?.message ?? message }),
      );
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [name, project]);
  return check;
}

interface NameFieldProps {
  readonly label: string;
  readonly name: string;
  readonly check: NameCheck;
  readonly hint?: string | undefined;
  readonly onInput: (name: string) => void;
}

/** The field for the name of a flag, with the verdict on it. It takes the focus. */
export function NameField({ label, name, check, hint, onInput }: NameFieldProps): JSX.Element {
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  const suggested = suggestName(name);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={ref}
        id={id}
        class="input mono"
        required
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={100}
        value={name}
        aria-invalid={typeof check === 'object'}
        aria-describedby={`${id}-check`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <div id={`${id}-check`}>
        {typeof check === 'object' && <FieldProblem text={check.problem} />}
        {suggested !== undefined && (
          <Button onClick={() => onInput(suggested)}>
            Use <span class="mono clip">{suggested}</span>
          </Button>
        )}
        {check === 'free' && (
          <small class="name-free">
            <Icon name="check" size={14} /> The name is free
          </small>
        )}
        {(check === 'empty' || check === 'checking') && <small>{hint ?? nameHint}</small>}
      </div>
    </div>
  );
}
