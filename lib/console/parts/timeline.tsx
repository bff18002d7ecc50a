import './timeline.css';
import type { ComponentChildren, JSX } from 'preact';
import type { ShownEvent } from '../../screens/shown-event-schema.ts';
import { describeDecision } from '../words/change-requests.ts';
import { tellEvent } from '../words/events.ts';
import { eventIcon, eventTone } from './event-looks.ts';
import { Icon } from './icon.tsx';
import { Ago } from './small.tsx';

interface TimelineProps {
  readonly events: readonly ShownEvent[];
  /** True to name the flag of each event, with a link to it. */
  readonly namesFlags?: boolean;
  /** Tells whether an event is less important than others. */
  readonly isFaint?: (event: ShownEvent) => boolean;
  readonly more?: (event: ShownEvent) => ComponentChildren;
}

/** Events as sentences, the latest first. */
export function Timeline({ events, namesFlags = false, isFaint, more }: TimelineProps): JSX.Element {
  return (
    <ol class="timeline">
      {events.map((event) => (
        <li key={event.id} class={isFaint?.(event) ? 'faint' : ''}>
          <span class={`timeline-icon ${isFaint?.(event) ? '' : (eventTone(event.type) ?? '')}`}>
            <Icon name={eventIcon(event.type)} size={15} />
          </span>
          <div class="grow">
            {namesFlags && event.featureName !== null && (
              <a class="mono" href={`/projects/${event.project}/features/${event.featureName}`}>
                {event.featureName}
              </a>
            )}
            <p>
              <b>{event.author}</b> {tellEvent(event)}
            </p>
            {event.changeRequest !== undefined && (
              <a
                class="timeline-request"
                href={`/projects/${event.changeRequest.project}/change-requests/${event.changeRequest.id}`}
              >
                {describeDecision(event.changeRequest)}
              </a>
            )}
            {more?.(event)}
          </div>
          <Ago time={event.createdAt} />
        </li>
      ))}
    </ol>
  );
}
