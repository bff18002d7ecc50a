import './button.css';
import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { showProblem } from './toasts.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'icon'> {
  /** The look. A page has at most one solid button. */
  readonly kind?: 'solid' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** The reason why it is disabled: a tooltip, which screen readers read as its description, and a message when it is pressed. */
  readonly reason?: string | undefined;
  readonly type?: 'button' | 'submit';
  readonly children?: ComponentChildren;
}

/** A button. One that is disabled with a reason keeps the focus, so that everybody can read why, as does one that works. */
export function Button({
  kind = 'plain',
  icon,
  isBusy = false,
  isDisabled = false,
  reason,
  type = 'button',
  children,
  ...rest
}: ButtonProps): JSX.Element {
  const isRefused = reason !== undefined;
  return (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${rest.class ?? ''}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isRefused || isBusy || undefined}
      disabled={isDisabled}
      title={reason ?? rest.title}
      onClick={isRefused || isBusy ? (event) => refuse(event, reason) : rest.onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Tells the reason to those without a mouse, who see no tooltips. */
function refuse(event: Event, reason: string | undefined): void {
  event.preventDefault();
  if (reason !== undefined) showProblem(reason);
}

/** A link with the looks of a button. */
export function ButtonLink({
  href,
  kind = 'plain',
  icon,
  onClick,
  children,
}: {
  readonly href: string;
  readonly kind?: 'solid' | 'plain' | 'quiet';
  readonly icon?: IconName;
  /** Happens before the link is followed. */
  readonly onClick?: () => void;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <a class={`button ${kind}`} href={href} onClick={onClick}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  );
}
