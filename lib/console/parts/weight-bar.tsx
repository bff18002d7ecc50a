import './weight-bar.css';
import type { JSX } from 'preact';

/** The shares of variants as one bar. The names of the variants stand beside it, with a dot of the same colour. */
export function WeightBar({ weights }: { readonly weights: readonly number[] }): JSX.Element {
  return (
    <span class="variants-bar" aria-hidden="true">
      {weights.map((weight, index) => (
        <span key={index} class={`variant-${(index % 5) + 1}`} style={{ flexGrow: weight }} />
      ))}
    </span>
  );
}
