import './dialog.css';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly actions: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly kind?: 'confirm' | 'urgent' | 'wide';
}

/**
 * A modal dialog. On a phone, it is a sheet at the bottom. The browser keeps the focus in it, and gives the focus back afterwards.
 * Escape and a click outside close it without an action.
 */
export function Dialog({ title, onClose, actions, children, kind = 'confirm' }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const isShown = useRef(false);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // A form focuses its first field. A question focuses its first button, which cancels: Enter must never confirm by accident.
    const first = dialog?.querySelector<HTMLElement>('[autofocus], .dialog-body .input');
    (first ?? dialog?.querySelector<HTMLElement>('.dialog-actions .button'))?.focus();
    isShown.current = true;
    return () => {
      // The browser reports this close after the dialog has gone. By then, another dialog may be open.
      isShown.current = false;
      dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it by Escape
    <dialog
      ref={ref}
      class={`dialog ${kind}`}
      aria-labelledby={id}
      onClose={() => isShown.current && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-in">
        <h2 id={id}>{title}</h2>
        <div class="dialog-body">{children}</div>
        <div class="dialog-actions">{actions}</div>
      </div>
    </dialog>
  );
}
