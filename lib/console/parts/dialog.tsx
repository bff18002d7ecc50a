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
 * A dialog, which is a sheet at the bottom of a phone. The browser keeps the focus in it, closes it by Escape and gives the focus
 * back. Escape and a click beside it mean "do nothing".
 */
export function Dialog({ title, onClose, actions, children, kind = 'confirm' }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const isShown = useRef(false);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // A form begins at its first field; a question at the act that does nothing, never at an override.
    const first = dialog?.querySelector<HTMLElement>('[autofocus], .dialog-body .input');
    (first ?? dialog?.querySelector<HTMLElement>('.dialog-actions .button'))?.focus();
    isShown.current = true;
    return () => {
      // The browser tells of this close after the dialog has gone, when another one may stand in its place.
      isShown.current = false;
      dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, which the browser handles
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
