import './rows.css';
import './filters.css';
import type { ComponentChildren, JSX } from 'preact';
import type { Refusal } from '../data/client.ts';
import { Heading } from './heading.tsx';
import { Problem, Skeleton } from './states.tsx';

interface PageListProps {
  readonly title: string;
  /** One sentence on the purpose of the listed things. */
  readonly about?: string;
  readonly actions?: ComponentChildren;
  readonly filters?: ComponentChildren;
  readonly problem: Refusal | undefined;
  readonly onRetry: () => void;
  /** The number of rows; undefined until they are read. */
  readonly count: number | undefined;
  /** Shown instead of rows if there are none. */
  readonly empty: ComponentChildren;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A page with a list: its heading, its filters, and a placeholder while the list loads, fails or is empty. */
export function PageList(props: PageListProps): JSX.Element {
  const { title, about, actions, filters, problem, onRetry, count, empty, children } = props;
  return (
    <main class="page">
      <div class="page-head">
        <div class="grow">
          <Heading title={title} />
          {about !== undefined && <p class="page-about">{about}</p>}
        </div>
        <div class="page-actions">{actions}</div>
      </div>
      {filters !== undefined && <div class="filters">{filters}</div>}
      {problem !== undefined && <Problem problem={problem} onRetry={onRetry} />}
      {count === undefined && problem === undefined && <Skeleton rows={8} />}
      {count === 0 && <div class="card">{empty}</div>}
      {count !== undefined && count > 0 && <ul class="card rows">{children}</ul>}
    </main>
  );
}
