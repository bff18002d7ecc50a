import './toasts.css';
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly undo?: (() => void) | undefined;
}

const shownMs = 8_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows a message for a few seconds. @param undo reverts the change that the message is about. */
export function showMessage(text: string, { undo }: { readonly undo?: () => void } = {}): void {
  add({ text, isBad: false, undo });
}

/** Shows a problem for a few seconds. */
export function showProblem(text: string): void {
  add({ text, isBad: true });
}

function add(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { ...toast, id }];
  setTimeout(() => remove(id), shownMs);
}

function remove(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The messages about recent changes, at the bottom of the page. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isBad, undo }) => (
        <div key={id} class={isBad ? 'toast bad' : 'toast'}>
          <Icon name={isBad ? 'triangle-alert' : 'check'} />
          <span>{text}</span>
          {undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                remove(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
