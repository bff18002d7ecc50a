import './field.css';
import { type ComponentChildren, cloneElement, isValidElement, type JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A form field: a label, a control, and below it a hint and the problem with its value. */
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
  const problemLine = problem !== undefined && <FieldProblem text={problem} />;
  const isHtmlElement = isValidElement(children) && typeof children.type === 'string';
  // Inside the label, screen readers would read the hint as a part of the name. A component cannot be given an id from here.
  if (isHtmlElement) {
    const description = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
    return (
      <div class="field">
        <label for={id}>{label}</label>
        {cloneElement(children, { id, ...description })}
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
        {problemLine}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its child is the control
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
      {problemLine}
    </label>
  );
}

/** A problem with a field or a form. Screen readers announce it. */
export function FieldProblem({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="field-problem" role="alert">
      <Icon name="triangle-alert" />
      {text}
    </span>
  );
}

/** The search field of a list. The key `/` moves the focus to it. */
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
