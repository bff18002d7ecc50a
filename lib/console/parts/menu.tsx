import './menu.css';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

/** An act of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  /** The reason why the act is not possible. */
  readonly reason?: string | undefined;
  readonly onChoose: () => void;
}

/** A button that opens a list of acts. Arrow keys move in it, and Escape closes it. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const rows = () => [...(ref.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  useEffect(() => {
    if (!isOpen) return;
    rows()[0]?.focus();
    const close = (event: Event) => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, [isOpen]);

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const all = rows();
    const index = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown') all[(index + 1) % all.length]?.focus();
    else if (event.key === 'ArrowUp') all.at(index - 1)?.focus();
    else if (event.key === 'Tab') setOpen(false);
    else return;
    if (event.key !== 'Tab') event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div ref={ref} class="menu">
      <button
        ref={button}
        type="button"
        class="button quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="ellipsis-vertical" />
      </button>
      {isOpen && (
        <div role="menu" aria-label={label} tabIndex={-1} class="menu-list" onKeyDown={onKeyDown}>
          {items.map(({ label: text, icon, isDanger, reason, onChoose }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={isDanger ? 'bad' : ''}
              aria-disabled={reason !== undefined || undefined}
              title={reason}
              onClick={() => {
                if (reason !== undefined) return;
                close();
                onChoose();
              }}
            >
              <Icon name={icon} />
              <span>
                {text}
                {reason !== undefined && <small>{reason}</small>}
              </span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
