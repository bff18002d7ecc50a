import './brand.css';
import type { JSX } from 'preact';

/** The mark of Flagstaff. */
export function Brand({ size = 18 }: { readonly size?: number }): JSX.Element {
  return (
    <svg class="brand-mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path class="brand-staff" d="M3 1h1.5v14H3z" />
      <path class="brand-cloth" d="M4.5 2H14l-3 3.5L14 9H4.5z" />
    </svg>
  );
}
