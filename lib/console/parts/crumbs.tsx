import './board.css';
import { Fragment, type JSX } from 'preact';
import { projectNameOf, useStart } from '../reader/start.ts';
import { Icon } from './icon.tsx';

/** A page above this one, with its name and its path. */
type Crumb = readonly [name: string, to: string];

/** Returns the breadcrumb of a project. */
export function useProjectCrumb(project: string): Crumb {
  const { value: start } = useStart();
  return [projectNameOf(start, project), `/projects/${project}`];
}

/** Breadcrumbs: links to the pages above this one. */
export function Crumbs({ trail }: { readonly trail: readonly Crumb[] }): JSX.Element {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      {trail.map(([name, to], index) => (
        <Fragment key={to}>
          {index > 0 && <Icon name="chevron-right" size={14} />}
          <a href={to}>{name}</a>
        </Fragment>
      ))}
    </nav>
  );
}
