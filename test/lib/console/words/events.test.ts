import { describe, expect, test } from 'vitest';
import { type ToldEvent, tellEvent } from '../../../../lib/console/words/events.ts';
import { type EventType, event as eventSchema } from '../../../../lib/events/event-schema.ts';

const types: readonly EventType[] = eventSchema.entries.type.options;

const event = (type: EventType, rest: Partial<ToldEvent> = {}): ToldEvent => ({
  ...{ type, environment: null, data: null, preData: null, featureName: null },
  ...rest,
});

const safeguard = {
  impactMetric: { metricName: 'flag:evaluations', timeRange: 'hour', aggregationMode: 'count', labelSelectors: {} },
  triggerCondition: { operator: '<', threshold: 100 },
  action: { type: 'pauseReleasePlanProgressions' },
};

describe('An event in words', () => {
  test.each(types)('of the type %s follows the name of its author, with or without data', (type) => {
    for (const data of [null, { name: 'Beta', title: 'Beta', type: 'simple', value: 'beta' }]) {
      const sentence = tellEvent(event(type, { data }));
      expect(sentence).toMatch(/^[a-z]+ ?\S/);
      expect(sentence).not.toMatch(/undefined|null|object| {2}| $|\.$/);
    }
  });

  test.each<[EventType, Partial<ToldEvent>, string]>([
    ['segment-created', { data: { name: 'Beta users' } }, 'created the segment “Beta users”'],
    [
      ...(['setting-updated', { data: { id: 'unleash.enterprise.auth.oidc' } }] as const),
      'changed the settings of signing in with OpenID Connect',
    ],
    ['setting-updated', { data: { id: 'unknown' } }, 'changed the settings'],
    ['segment-deleted', { preData: { name: 'Beta users' } }, 'deleted the segment “Beta users”'],
    ['group-user-added', { data: { groupName: 'checkout', userId: 3 } }, 'added somebody to the group “checkout”'],
    ['group-user-removed', { preData: { groupName: 'checkout' } }, 'removed somebody from the group “checkout”'],
    [
      'pat-created',
      { data: { kind: 'user', name: 'rita', description: 'ci' } },
      'created the personal token “ci” of “rita”',
    ],
    ['pat-deleted', { preData: { kind: 'agent', name: 'rita' } }, 'deleted the agent token of “rita”'],
    ['feature-environment-enabled', { environment: 'production' }, 'switched it on in production'],
    ['feature-tagged', { data: { type: 'simple', value: 'pay' } }, 'added the tag pay'],
    ['feature-tagged', { data: { type: 'team', value: 'pay' }, environment: 'production' }, 'added the tag team:pay'],
    [
      'feature-strategy-update',
      {
        environment: 'production',
        preData: { name: 'flexibleRollout', parameters: { rollout: '25' } },
        data: { name: 'flexibleRollout', parameters: { rollout: '50' } },
      },
      'changed the rollout from 25% to 50% in production',
    ],
    [
      'feature-strategy-update',
      { preData: { parameters: { rollout: '25' } }, data: { title: 'Beta', parameters: { rollout: '50' } } },
      'changed the rollout of “Beta” from 25% to 50%',
    ],
    ['feature-strategy-update', { data: { title: 'Only staff' } }, 'changed the strategy “Only staff”'],
    ['feature-strategy-remove', { preData: { name: 'userWithId' } }, 'removed the strategy “Listed users”'],
    [
      'change-request-approval-added',
      { data: { changeRequestTitle: 'Double it' } },
      'approved the change request “Double it”',
    ],
    [
      'release-plan-milestone-started',
      { environment: 'production', data: { milestoneName: 'Few' } },
      'started the milestone “Few” in production',
    ],
    [
      'release-plan-milestone-started',
      { data: { milestoneName: 'Half', isByTime: true }, preData: { milestoneName: 'Few' } },
      'started the milestone “Half” after “Few” by itself',
    ],
    [
      'milestone-progression-changed',
      { data: { milestoneName: 'Few', transitionCondition: { intervalMinutes: 90 } } },
      'set the time of the milestone “Few” to 90 minutes',
    ],
    [
      'milestone-progression-changed',
      {
        data: { milestoneName: 'Few', transitionCondition: { intervalMinutes: 1_440 } },
        preData: { milestoneName: 'Few', transitionCondition: { intervalMinutes: 60 } },
      },
      'set the time of the milestone “Few” to 1 day',
    ],
    [
      'milestone-progression-deleted',
      { preData: { milestoneName: 'Few', transitionCondition: { intervalMinutes: 60 } } },
      'removed the time of the milestone “Few”',
    ],
    ['release-plan-added', { data: { name: 'Careful' } }, 'added the release plan “Careful”'],
    [
      'safeguard-changed',
      { data: safeguard, environment: 'production' },
      'added the safeguard “fewer than 100 evaluations in the last hour” in production',
    ],
    [
      'safeguard-triggered',
      { data: { ...safeguard, value: 12 } },
      'acted on the safeguard “fewer than 100 evaluations in the last hour” at 12',
    ],
    [
      'safeguard-triggered',
      { data: { impactMetric: { metricName: 'signal' }, value: 1, reason: 'Orders fail' }, environment: 'production' },
      'acted on the safeguard “a signal comes from outside”: “Orders fail” in production',
    ],
    [
      'safeguard-deleted',
      { preData: safeguard },
      'removed the safeguard “fewer than 100 evaluations in the last hour”',
    ],
    ['change-request-override-started', { data: { reason: 'Orders fail' } }, 'overrode approval: “Orders fail”'],
  ])('%s of %j is told by what matters', (type, rest, sentence) => {
    expect(tellEvent(event(type, rest))).toBe(sentence);
  });
});
