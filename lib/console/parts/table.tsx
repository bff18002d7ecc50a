import './table.css';
import type { ComponentChildren, JSX } from 'preact';

interface TableProps {
  readonly columns: readonly string[];
  /** The name of a last column with buttons; it is not shown. */
  readonly acts?: string;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table with the same cells in each row, which is a card for each row on a phone. */
export function Table({ columns, acts, children }: TableProps): JSX.Element {
  return (
    <table class="table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column}>{column}</th>
          ))}
          {acts !== undefined && (
            <th>
              <span class="hidden">{acts}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
