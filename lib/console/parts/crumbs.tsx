import './board.css';
import { Fragment, type JSX } from 'preact';
import { projectNameOf, useStart } from '../data/start.ts';
import { Icon } from './icon.tsx';

/** A page above this one. */
type Place = readonly [name: string, to: string];

/** Returns the place of a project, by its name. */
export function useProjectPlace(project: string): Place {
  const { value: start } = useStart();
  return [projectNameOf(start, project), `/projects/${project}`];
}

/** The way from the list to the page, as links. */
export function Crumbs({ places }: { readonly places: readonly Place[] }): JSX.Element {
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
