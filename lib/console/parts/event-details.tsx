import './event-details.css';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ShownEvent } from '../../screens/shown-event-schema.ts';
import { listDifferences } from '../words/differences.ts';
import { countOf } from '../words/numbers.ts';
import { Diff } from './diff.tsx';

interface EventDetailsProps {
  readonly before: ShownEvent['preData'];
  readonly after: ShownEvent['data'];
  /** Returns a state with names for ids, where the page knows them. */
  readonly describe?: (state: NonNullable<ShownEvent['data']>) => NonNullable<ShownEvent['data']>;
  /** Buttons for the states before and after. */
  readonly children?: ComponentChildren;
}

/** The differences of an event, collapsed. They are drawn when somebody expands them, since a page has many. */
export function EventDetails({ before, after, describe, children }: EventDetailsProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const differences = useMemo(() => {
    const [from, to] = [before, after].map((state) => (state && describe ? describe(state) : state));
    return listDifferences(from, to);
  }, [before, after, describe]);
  if (differences.length === 0 && !hasContent({ ...before, ...after })) return null;
  return (
    <details class="event-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {before === null || differences.length === 0 ? 'Details' : countOf(differences.length, 'difference')}
      </summary>
      {isOpen && (
        <>
          {differences.length > 0 && <Diff differences={differences} />}
          {children}
          <details>
            <summary>JSON</summary>
            <pre>{JSON.stringify({ before, after }, null, 2)}</pre>
          </details>
        </>
      )}
    </details>
  );
}

/** Tells whether the JSON of a state is worth showing: it has more than the ids of its change request. */
function hasContent(state: object): boolean {
  return Object.keys(state).some((name) => !name.startsWith('changeRequest'));
}
