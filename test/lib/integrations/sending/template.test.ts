import { describe, expect, test } from 'vitest';
import { Unsendable } from '../../../../lib/integrations/sending/requests/outgoing.ts';
import { render } from '../../../../lib/integrations/sending/template.ts';

const view = {
  event: { type: 'feature-created', createdBy: 'Ada "A" <b>', data: { list: [1, 'two'], deep: { a: null } }, tags: [] },
  eventJson: JSON.stringify('{"a":"\\""}'),
  none: null,
};

describe('A template', () => {
  test.each([
    ['{{event.type}}', 'nothing', 'feature-created'],
    ['{{event.createdBy}}', 'nothing', 'Ada "A" <b>'],
    ['{"by":"{{event.createdBy}}"}', 'json', '{"by":"Ada \\"A\\" <b>"}'],
    ['{{{event.createdBy}}}', 'json', 'Ada "A" <b>'],
    ['{"text":{{eventJson}}}', 'json', `{"text":${view.eventJson}}`],
    ['{{event.data.list}}', 'nothing', '1,two'],
    ['{{event.data.deep}}', 'nothing', '{"a":null}'],
    ['{{#event.data.list}}[{{.}}]{{/event.data.list}}', 'nothing', '[1][two]'],
    ['{{^event.tags}}untagged{{/event.tags}}', 'nothing', 'untagged'],
    ['{{none}}{{missing}}{{event.missing.more}}', 'nothing', ''],
    ['{{=<% %>=}}<%event.type%>', 'nothing', 'feature-created'],
    ['{{> partial}}{{! comment }}', 'nothing', ''],
  ] as const)('%j for %s makes %j', (template, escapes, made) => {
    expect(render(template, view, escapes)).toBe(made);
  });

  test.each([
    'constructor',
    '__proto__',
    'toString',
    'event.data.list.map',
    'event.hasOwnProperty',
    'event.type.constructor',
    'event.type.constructor.name',
    'event.type.constructor.prototype.valueOf',
  ])('reaches nothing by %s, which nobody put there', (name) => {
    expect(render(`{{${name}}}{{#${name}}}in{{/${name}}}`, view, 'nothing')).toBe('');
  });

  const many = { a: Array.from({ length: 200 }, () => 'x') };
  const nested = (inner: string) => `${'{{#a}}'.repeat(6)}${inner}${'{{/a}}'.repeat(6)}`;

  test.each([
    ['has a tag without an end', '{{event.type', {}],
    ['has a section without an end', '{{#event}}', {}],
    ['makes too much by loops', nested('{{.}}'), many],
    ['makes nothing, for too long', nested(''), many],
    [
      'searches many contexts, for too long',
      `${'{{#deep}}'.repeat(300)}${nested('{{missing}}')}${'{{/deep}}'.repeat(300)}`,
      { ...many, deep: {} },
    ],
    ['follows long paths, for too long', nested(`{{deep.${'a.'.repeat(4_000)}a}}`), { ...many, deep: {} }],
    ['repeats a long text', '{{a}}'.repeat(1_000), { a: 'x'.repeat(10_000) }],
  ])('is refused where it %s', (_, template, data) => {
    const startedAt = process.cpuUsage();
    expect(() => render(template, data, 'nothing')).toThrow(Unsendable);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(500_000);
  });
});
