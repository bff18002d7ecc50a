import './board.css';
import { Fragment, type JSX } from 'preact';
import { Icon } from './icon.tsx';

/** The way from the list to the page, as links. */
export function Crumbs({ places }: { readonly places: readonly (readonly [name: string, to: string])[] }): JSX.Element {
  return (
    <nav class="crumbs" aria-label="Place">
      {places.map(([name, to], index) => (
        <Fragment key={to}>
          {index > 0 && <Icon name="chevron-right" size={14} />}
          <a href={to}>{name}</a>
        </Fragment>
      ))}
    </nav>
  );
}
