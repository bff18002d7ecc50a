import './table.css';
import type { ComponentChildren, JSX } from 'preact';

interface TableProps {
  readonly columns: readonly string[];
  /** The name of a last column with buttons. Only screen readers read it. */
  readonly acts?: string;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table with the same cells in each row. On a phone, each row is a card. */
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
