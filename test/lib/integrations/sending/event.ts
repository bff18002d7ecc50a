import type { Event } from '../../../../lib/events/event-schema.ts';
import type { Addon } from '../../../../lib/integrations/addon-schema.ts';

/** An event of a feature, such as the event log has it. */
export function anEvent(more: Partial<Event> = {}): Event {
  return {
    id: 7,
    createdAt: '2026-11-25T12:00:00.000Z',
    type: 'feature-environment-enabled',
    createdBy: 'ada',
    createdByUserId: 3,
    environment: 'production',
    project: 'default',
    featureName: 'checkout',
    data: { name: 'checkout' },
    preData: null,
    tags: [],
    ...more,
  };
}

/** An integration that is switched on and sends the events above. */
export function anAddon(parameters: Record<string, string>, more: Partial<Addon> = {}): Addon {
  return {
    id: 1,
    provider: 'webhook',
    enabled: true,
    description: null,
    createdAt: '2026-11-25T11:00:00.000Z',
    events: ['feature-environment-enabled'],
    projects: [],
    environments: [],
    ...more,
    parameters,
  };
}
