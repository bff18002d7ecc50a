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
  /** Acts on the states before and after. */
  readonly children?: ComponentChildren;
}

/** The difference that an event made, folded away; it is drawn when somebody unfolds it, since a page has many. */
export function EventDetails({ before, after, children }: EventDetailsProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const differences = useMemo(() => listDifferences(before, after), [before, after]);
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

/** Tells whether a state has more than the change request that it belongs to, such as ids of roles, for the JSON. */
function hasContent(state: object): boolean {
  return Object.keys(state).some((name) => !name.startsWith('changeRequest'));
}
