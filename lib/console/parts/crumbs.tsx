import './board.css';
import { Fragment, type JSX } from 'preact';
import { projectNameOf, useStart } from '../reader/start.ts';
import { Icon } from './icon.tsx';

/** A page above this one, with its name and its path. */
type Place = readonly [name: string, to: string];

/** Returns the breadcrumb of a project. */
export function useProjectPlace(project: string): Place {
  const { value: start } = useStart();
  return [projectNameOf(start, project), `/projects/${project}`];
}

/** Breadcrumbs: links to the pages above this one. */
export function Crumbs({ places }: { readonly places: readonly Place[] }): JSX.Element {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      {places.map(([name, to], index) => (
        <Fragment key={to}>
          {index > 0 && <Icon name="chevron-right" size={14} />}
          <a href={to}>{name}</a>
        </Fragment>
      ))}
    </nav>
  );
}
