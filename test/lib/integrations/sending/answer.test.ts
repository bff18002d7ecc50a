import { describe, expect, test } from 'vitest';
import {
  type Answer,
  consequenceOf,
  eventBridgeConsequence,
  slackConsequence,
} from '../../../../lib/integrations/sending/answer.ts';

const at = Date.parse('2026-11-25T12:00:00Z');
const status = (code: number, text = '', retryAfter?: string): Answer => ({ status: code, text, retryAfter });

describe('The answer of a receiver', () => {
  test.each([
    [200, 'taken'],
    [202, 'taken'],
    [204, 'taken'],
    [301, 'retry'],
    [302, 'retry'],
    [400, 'refused'],
    [401, 'retry'],
    [404, 'retry'],
    [410, 'paused'],
    [413, 'refused'],
    [422, 'refused'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('%i is %s', (code, kind) => {
    expect(consequenceOf(status(code), at).kind).toBe(kind);
  });

  test.each([
    ['30', 30_000],
    ['Wed, 25 Nov 2026 12:01:00 GMT', 60_000],
    ['Wed, 25 Nov 2026 11:00:00 GMT', 0],
    ['soon', 0],
  ])('asks with Retry-After: %s for a pause of %i ms', (header, afterMs) => {
    expect(consequenceOf(status(429, '', header), at)).toMatchObject({ kind: 'retry', afterMs });
  });

  test('leads to a retry at once after a lost connection or a failing proxy, but not after a silence', () => {
    const soon = [consequenceOf({ lost: 'no connection' }, at), consequenceOf(status(503), at)];
    expect(soon).toMatchObject([{ soon: true }, { soon: true }]);
    const late = [{ lost: 'no answer', timedOut: true } as const, status(500), status(503, '', '9')];
    expect(late.map((each) => consequenceOf(each, at))).toMatchObject([
      { soon: false },
      { soon: false },
      { soon: false },
    ]);
  });

  test('is shown with the beginning of its text', () => {
    const consequence = consequenceOf(status(500, ` broken\n${'x'.repeat(1000)}`), at);
    expect(consequence).toMatchObject({ reason: expect.stringMatching(/^status code 500: broken x{200}/) });
    expect('reason' in consequence && consequence.reason.length).toBe(256);
  });
});

describe('An answer of Slack with the status 200', () => {
  test.each([
    ['{"ok":true}', 'taken'],
    ['{"ok":false,"error":"channel_not_found"}', 'refused'],
    ['{"ok":false,"error":"not_in_channel"}', 'refused'],
    ['{"ok":false,"error":"token_revoked"}', 'paused'],
    ['{"ok":false,"error":"ratelimited"}', 'retry'],
    ['<html>', 'retry'],
  ])('%s is %s', (text, kind) => {
    expect(slackConsequence(status(200, text), at).kind).toBe(kind);
  });
});

describe('An answer of EventBridge', () => {
  test.each([
    [200, '{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}', 'taken'],
    [200, '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"ThrottlingException"}]}', 'retry'],
    [200, '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"MalformedDetail"}]}', 'refused'],
    [400, '{"__type":"AccessDeniedException"}', 'retry'],
    [400, '{"__type":"ValidationException"}', 'refused'],
    [500, '', 'retry'],
  ])('%i with %s is %s', (code, text, kind) => {
    expect(eventBridgeConsequence(status(code, text), at).kind).toBe(kind);
  });
});
