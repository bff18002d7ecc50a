import type { EventType } from '../../events/event-schema.ts';
import type { IconName } from './icons.ts';
import type { Tone } from './small.tsx';

/** The first pattern that fits the type of an event gives its icon. */
const icons: readonly (readonly [RegExp, IconName])[] = [
  [/-(?:enabled|disabled)$/, 'power'],
  [/override/, 'zap'],
  [/^change|change-request/, 'git-pull-request'],
  [/-paused$/, 'pause'],
  [/-resumed$/, 'play'],
  [/^release-plan|^milestone/, 'rocket'],
  [/^safeguard/, 'shield'],
  [/strategy|variants/, 'sliders-horizontal'],
  [/segment|user|group|role|access|service-account/, 'users'],
  [/token|^pat-/, 'key-round'],
  [/link/, 'external-link'],
  [/favorited/, 'star'],
  [/tag/, 'tag'],
  [/archived|deleted|removed/, 'archive'],
  [/created|added/, 'plus'],
];

/** Returns the icon of a type of events. */
export function eventIcon(type: EventType): IconName {
  return icons.find(([pattern]) => pattern.test(type))?.[1] ?? 'pencil';
}

/** Returns the tone of an event; undefined for most. */
export function eventTone(type: EventType): Tone | undefined {
  if (/-enabled$|approved$|approval-added$|-success$/.test(type)) return 'on';
  if (/-disabled$|-failure$|suspended$|^safeguard-triggered/.test(type)) return 'bad';
  return /^change-request-override|-paused$/.test(type) ? 'warn' : undefined;
}
