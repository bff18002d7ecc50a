import './override.css';
import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';

/** The way to an override, below the usual way of approval, for those who may approve. */
export function Emergency({ onOverride }: { readonly onOverride: () => void }): JSX.Element {
  return (
    <button type="button" class="emergency" onClick={onOverride}>
      <Icon name="zap" size={18} />
      <span>
        <strong>It cannot wait?</strong>
        Override approval. Somebody reviews afterwards what you did.
      </span>
      <Icon name="chevron-right" />
    </button>
  );
}
