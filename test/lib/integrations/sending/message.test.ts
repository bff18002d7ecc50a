import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../../lib/integrations/sending/message.ts';
import { anEvent } from './event.ts';

const home = 'https://flags.example.com';
const feature = `${home}/projects/default/features/checkout`;

describe('The message about an event', () => {
  test('says who did what, with links, in the markup of each chat', () => {
    expect(messageOf(anEvent(), 'markdown', home)).toEqual({
      text: `**ada** switched on **[checkout](${feature})** in **production** of the project **[default](${home}/projects/default)**`,
      link: feature,
    });
    expect(messageOf(anEvent(), 'slack', home).text).toBe(
      `*ada* switched on *<${feature}|checkout>* in *production* of the project *<${home}/projects/default|default>*`,
    );
  });

  test('has no links if this service does not know its address', () => {
    expect(messageOf(anEvent(), 'slack', undefined)).toEqual({
      text: '*ada* switched on *checkout* in *production* of the project *default*',
    });
  });

  test('links to the archive for an archived feature', () => {
    expect(messageOf(anEvent({ type: 'feature-archived' }), 'slack', home).link).toBe(
      `${home}/projects/default/archive`,
    );
  });

  test.each([
    ['segment-created', `${home}/segments`],
    ['addon-config-updated', `${home}/integrations`],
    ['project-archived', `${home}/projects-archive`],
  ] as const)('of the type %s leads to %s', (type, link) => {
    expect(messageOf(anEvent({ type, featureName: null }), 'slack', home).link).toBe(link);
  });

  test('about a change request names it, and links to its page', () => {
    const event = anEvent({ type: 'change-request-approved', data: { changeRequestId: 7 }, environment: null });
    const page = `${home}/projects/default/change-requests/7`;
    const project = `*<${home}/projects/default|default>*`;
    expect(messageOf(event, 'slack', home)).toEqual({
      text: `*ada* approved *<${page}|change request #7>* of the project ${project}`,
      link: page,
    });
  });

  test('escapes the markup of names', () => {
    const event = anEvent({ createdBy: '<!channel> *a* [b](c) & d', environment: null, project: null });
    expect(messageOf(event, 'slack', undefined).text).toBe(
      '*&lt;!channel&gt; *a* [b](c) &amp; d* switched on *checkout*',
    );
    expect(messageOf(event, 'markdown', undefined).text).toMatch(/^\*\*\\<\\!channel\\> \\\*a\\\* \\\[b\\\]\\\(c\\\)/);
  });

  test('lists the changes of a strategy', () => {
    const constraint = (values: string[]) => ({ contextName: 'userId', operator: 'IN', values, inverted: false });
    const preData = {
      parameters: { rollout: '20', stickiness: 'default' },
      constraints: [],
      segments: [1],
      disabled: false,
    };
    const data = {
      parameters: { rollout: '50', stickiness: 'default', groupId: 'g' },
      constraints: [constraint(['1', '2', '3', '4', '5', '6', '7'])],
      segments: [],
      variants: [{ name: 'blue', weight: 500 }],
      disabled: true,
    };
    expect(messageOf(anEvent({ type: 'feature-strategy-update', preData, data }), 'slack', undefined).text).toBe(
      '*ada* changed a strategy of *checkout* in *production* of the project *default*: ' +
        'rollout from 20 % to 50 %; groupId from none to g; ' +
        'constraints from none to [userId is one of [1, 2, 3, 4, 5, 2 more]]; segments from [1] to none; ' +
        'variants from none to [blue 50 %]; disabled',
    );
  });
});
