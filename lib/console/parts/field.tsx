import './field.css';
import { type ComponentChildren, cloneElement, isValidElement, type JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A field of a form with its name, a hint, and what is wrong with its value. */
export function Field({
  label,
  hint,
  problem,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  // A hint describes the control; inside its label it would be a part of its name.
  if (isValidElement(children) && typeof children.type === 'string') {
    const description = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
    return (
      <div class="field">
        <label for={id}>{label}</label>
        {cloneElement(children, { id, ...description })}
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
        {problem !== undefined && <FieldProblem text={problem} />}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its child is the control
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
      {problem !== undefined && <FieldProblem text={problem} />}
    </label>
  );
}

/** A problem with a field or a form. */
export function FieldProblem({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="field-problem" role="alert">
      <Icon name="triangle-alert" />
      {text}
    </span>
  );
}

/** A field to search in a list, which `/` jumps to. */
export function SearchField({
  label,
  value,
  onInput,
  isBig = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly isBig?: boolean;
}): JSX.Element {
  return (
    <label class={isBig ? 'search big' : 'search'}>
      <Icon name="search" size={isBig ? 20 : 16} />
      <input
        data-search
        class="input"
        type="search"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
