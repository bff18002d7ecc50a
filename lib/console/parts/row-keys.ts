import { useEffect } from 'preact/hooks';
import { isLetter } from '../browser/shortcuts.ts';

interface RowKeys {
  /** Called for the key `x`, which selects or unselects a row. */
  readonly onSelect?: (row: string) => void;
  /** Called for the key `s`, which adds or removes the star of a row. */
  readonly onStar?: (row: string) => void;
}

/**
 * Adds keys for the rows of a list. `j` and `k` move the focus between them, and other keys act on the row with the focus. A row is
 * an element with its key in `data-row`. The focus goes to its first link with `data-open`.
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
