import './diff.css';
import type { JSX } from 'preact';
import type { Difference } from '../words/differences.ts';

/** Differences as a table. Old values are struck through and new ones are marked, not only by colour. */
export function Diff({ differences }: { readonly differences: readonly Difference[] }): JSX.Element {
  return (
    <table class="diff">
      <tbody>
        {differences.map(({ label, before, after }) => (
          <tr key={`${label} ${before} ${after}`}>
            <th scope="row">{label}</th>
            <td>
              {before !== undefined && (
                <del>
                  <span class="hidden">before: </span>
                  {before}
                </del>
              )}
              {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
              {after !== undefined && (
                <ins>
                  <span class="hidden">after: </span>
                  {after}
                </ins>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
