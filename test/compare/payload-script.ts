import type { Event } from '../../lib/events/event-schema.ts';
import { providers } from '../../lib/integrations/providers.ts';
import { gradual, stepsOf, type TitledCalls } from './step.ts';

const flag = '/api/admin/projects/default/features/{flag}';
const development = `${flag}/environments/development`;

/** The life of a flag. */
const life: TitledCalls = {
  create: {
    send: 'POST /api/admin/projects/default/features',
    body: { name: '{flag}', type: 'release', description: 'The "new" <checkout> & more', impressionData: false },
  },
  tag: { send: 'POST /api/admin/features/{flag}/tags', body: { type: 'slack', value: 'team-a' } },
  'add a strategy': { send: `POST ${development}/strategies`, body: gradual, keep: { strategy: 'id' } },
  'update a strategy': {
    send: `PUT ${development}/strategies/{strategy}`,
    body: { ...gradual, title: 'a half', parameters: { ...gradual.parameters, rollout: '50' }, constraints: [] },
  },
  'switch on': `POST ${development}/on`,
  'switch off': `POST ${development}/off`,
  'remove a strategy': `DELETE ${development}/strategies/{strategy}`,
  update: {
    send: `PUT ${flag}`,
    body: { name: '{flag}', type: 'experiment', description: 'Longer', impressionData: true, stale: false },
  },
  'mark as stale': { send: `PATCH ${flag}`, body: [{ op: 'replace', path: '/stale', value: true }] },
  'mark as active': { send: `PATCH ${flag}`, body: [{ op: 'replace', path: '/stale', value: false }] },
  complete: { send: `POST ${flag}/lifecycle/complete`, body: { status: 'kept' } },
  untag: 'DELETE /api/admin/features/{flag}/tags/slack/team-a',
  archive: `DELETE ${flag}`,
  revive: 'POST /api/admin/archive/revive/{flag}',
  'archive again': `DELETE ${flag}`,
  delete: 'DELETE /api/admin/archive/{flag}',
};

/** Changes that only the App for Slack hears of. */
const around: TitledCalls = {
  'a field': { send: 'POST /api/admin/context', body: { name: 'plan', description: 'Of the customer' } },
  'another description of it': { send: 'PUT /api/admin/context/plan', body: { description: 'What they pay for' } },
  'no field': 'DELETE /api/admin/context/plan',
  'a segment': {
    send: 'POST /api/admin/segments',
    body: { name: 'few', constraints: [] },
    keep: { segment: 'id' },
  },
  'another segment': { send: 'PUT /api/admin/segments/{segment}', body: { name: 'some', constraints: [] } },
  'no segment': 'DELETE /api/admin/segments/{segment}',
  'a token': {
    send: 'POST /api/admin/api-tokens',
    body: { tokenName: 'of a service', type: 'client', environment: 'development', projects: ['default'] },
    keep: { secret: 'secret' },
  },
  'no token': 'DELETE /api/admin/api-tokens/{secret}',
  'a user': {
    send: 'POST /api/admin/user-admin',
    body: { email: 'ada@example.com', name: 'Ada', rootRole: 3, sendEmail: false },
    keep: { user: 'id' },
  },
  'another name': { send: 'PUT /api/admin/user-admin/{user}', body: { name: 'Ada L.', rootRole: 3 } },
  'no user': 'DELETE /api/admin/user-admin/{user}',
};

export const payloadSteps = stepsOf(life, around);

/** Types that integrations may ask for, though Unleash has long made no such event. */
const outdated = ['feature-updated', 'feature-variants-updated'];
const types = [...new Set(providers.flatMap(({ events }) => events))].filter((type) => !outdated.includes(type));

/**
 * One event of each type that integrations get, since an open source Unleash makes only some of them: it takes these from its
 * database.
 */
export const storedEvents = types.map((type, index): Event => {
  const isOfFeature = /^(feature|release-plan)-/.test(type);
  const isOfRequest = type.startsWith('change-');
  return {
    ...{ id: 1_000_000 + index, type: type as Event['type'], createdAt: '2026-11-25T12:00:00.000Z' },
    ...{ createdBy: 'ada', createdByUserId: 3, tags: [] },
    project: isOfFeature || isOfRequest || type.startsWith('project-') ? 'default' : null,
    environment: isOfRequest || /-(environment|strategy|progressions)-/.test(type) ? 'development' : null,
    featureName: isOfFeature ? 'checkout' : null,
    ...{ data: { name: 'checkout', ...(isOfRequest && { changeRequestId: 7 }) }, preData: { name: 'before' } },
  };
});

/** The integrations whose payloads are recorded, by name: two webhooks, and one of each other provider of Unleash. */
export const recordedIntegrations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  webhook: { authorization: 'Bearer a', customHeaders: '{"X-Team":"checkout"}' },
  template: {
    bodyTemplate:
      '{"type":"{{event.type}}","flag":"{{event.featureName}}","by":"{{event.createdBy}}","event":{{{eventJson}}}}',
  },
  slack: { defaultChannel: 'all', username: 'Flags' },
  'slack-app': { accessToken: 'xoxb-1', defaultChannels: 'all' },
  teams: {},
  datadog: { apiKey: 'key-of-datadog', sourceTypeName: 'flags' },
  'new-relic': { licenseKey: 'key-of-new-relic' },
};

export const providerOf = (name: string) => (name === 'template' ? 'webhook' : name);
