import { describe, expect, test } from 'vitest';
import { listAttempts } from '../../../../lib/console/integrations/delivery-words.ts';
import {
  buildForm,
  listFormProblems,
  maskedSecret,
  toForm,
  toInput,
} from '../../../../lib/console/integrations/integration-form.ts';
import { groupEventTypes } from '../../../../lib/console/words/event-kinds.ts';
import { providers } from '../../../../lib/integrations/providers.ts';

const webhook = providers.find(({ name }) => name === 'webhook');
if (webhook === undefined) throw new Error('There is no webhook.');

describe('The form of an integration', () => {
  test('needs what its provider requires, and some kind of event', () => {
    expect(listFormProblems(buildForm(webhook), webhook)).toEqual(['Webhook URL is needed.']);
    const form = { ...buildForm(webhook), parameters: { url: 'https://example.com' }, events: [] };
    expect(listFormProblems(form, webhook)).toEqual(['At least one kind of event is needed.']);
  });

  test('keeps a stored secret, and leaves out what is empty', () => {
    const addon = {
      ...{ id: 1, provider: 'webhook', description: null, enabled: true, createdAt: '2026-11-29T10:00:00.000Z' },
      ...{ events: ['feature-created'], projects: [], environments: ['production'] },
      parameters: { url: maskedSecret, contentType: '' },
    };
    expect(toInput(toForm(addon))).toEqual({
      ...{ provider: 'webhook', description: '', enabled: true, events: ['feature-created'] },
      ...{ projects: [], environments: ['production'], parameters: { url: maskedSecret } },
    });
  });

  test.each(providers.map(({ name, events }) => [name, events] as const))(
    'shows each kind of event of %s once, in a group',
    (_name, events) => {
      const grouped = groupEventTypes(events);
      expect(grouped.flatMap(({ types }) => types).toSorted()).toEqual(events.toSorted());
    },
  );
});

test('The attempts of a delivery say how long they took, and what the receiver answered', () => {
  const attempts = [
    { at: '2026-11-29T10:00:00.000Z', ms: 1_240, reason: 'status code 500: broken' },
    { at: '2026-11-29T10:01:00.000Z', ms: 22.4, reason: '' },
  ];
  expect(listAttempts({ attempts })).toEqual([
    { at: '2026-11-29T10:00:00.000Z', took: '1.2 s', answer: 'status code 500: broken' },
    { at: '2026-11-29T10:01:00.000Z', took: '22 ms', answer: 'Arrived' },
  ]);
});
