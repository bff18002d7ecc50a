import type { EventType } from '../../events/event-schema.ts';

/** Names of kinds of events that their type alone does not make readable. */
const names: Partial<Record<EventType, string>> = {
  'feature-environment-enabled': 'Switched on',
  'feature-environment-disabled': 'Switched off',
  'feature-strategy-add': 'Strategy added',
  'feature-strategy-update': 'Strategy changed',
  'feature-strategy-remove': 'Strategy removed',
  'feature-metadata-updated': 'Description or type of a flag changed',
  'feature-project-change': 'Flag moved to another project',
  'feature-potentially-stale-on': 'Flag reached its expected lifetime',
  'feature-stale-on': 'Flag marked as stale',
  'feature-stale-off': 'Flag no longer stale',
  'feature-favorited': 'Flag starred',
  'feature-unfavorited': 'Star of a flag removed',
  'feature-environment-variants-updated': 'Variants changed',
  'change-request-approval-added': 'Change request approved by somebody',
  'change-request-approved': 'Change request fully approved',
  'change-request-sent-to-review': 'Change request sent for review',
  'change-request-rejected': 'Change request turned down',
  'user-access-request-rejected': 'Request for access turned down',
  'change-request-scheduled-application-success': 'Scheduled change request applied',
  'change-request-scheduled-application-failure': 'Scheduled change request failed',
};

/** Words of types that people call otherwise. */
const words: Readonly<Record<string, string>> = {
  feature: 'flag',
  features: 'flags',
  'addon-config': 'integration',
  updated: 'changed',
  favorited: 'starred',
  pat: 'personal token',
};

/** Names a kind of event: `segment-updated` is "Segment changed". */
export function describeEventType(type: EventType): string {
  const known = names[type];
  if (known !== undefined) return known;
  const text = type
    .replace('addon-config', 'integration')
    .split('-')
    .map((word) => words[word] ?? word)
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A group of kinds of events, such as all about strategies. */
export interface EventKind {
  readonly name: string;
  readonly types: readonly string[];
}

const groups: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Switches', /^feature-environment-(?:enabled|disabled)$/],
  ['Strategies and variants', /strategy|variants/],
  ['Change requests', /^change|change-request/],
  ['Release plans', /^release-plan|^milestone|^safeguard/],
  ['Flags', /^feature/],
  ['People and access', /user|group|service-account|token|access/],
];

/** Groups kinds of events by what they are about, in the order in which people look for them. */
export function groupEventTypes(types: readonly string[]): EventKind[] {
  const other = 'Everything else';
  const nameOf = (type: string) => groups.find(([, pattern]) => pattern.test(type))?.[0] ?? other;
  const byName = Map.groupBy(types, nameOf);
  return [...groups.map(([name]) => name), other].flatMap((name) => {
    const found = byName.get(name);
    return found === undefined ? [] : [{ name, types: found }];
  });
}
