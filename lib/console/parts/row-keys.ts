import { useEffect } from 'preact/hooks';
import { isLetter } from '../shell/shortcuts.ts';

interface RowKeys {
  /** Selects a row, or ends that it is selected, by `x`. */
  readonly onSelect?: (row: string) => void;
  /** Stars a row, or ends it, by `s`. */
  readonly onStar?: (row: string) => void;
}

/**
 * Moves between the rows of a list by `j` and `k`, and acts on the one with the focus. A row is an element with `data-row`, its
 * key; the focus goes to its first link with `data-open`, which Enter opens.
 */
export function useRowKeys({ onSelect, onStar }: RowKeys): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isLetter(event) || event.shiftKey) return;
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
      const index = rows.findIndex((row) => row.contains(document.activeElement));
      const key = rows[index]?.dataset.row;
      if (event.key === 'j') focusRow(rows[Math.min(index + 1, rows.length - 1)]);
      else if (event.key === 'k') focusRow(rows[Math.max(index - 1, 0)]);
      else if (event.key === 'x' && key !== undefined) onSelect?.(key);
      else if (event.key === 's' && key !== undefined) onStar?.(key);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}

function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector<HTMLElement>('[data-open]')?.focus();
}
