import { expect, test } from 'vitest';
import { expectRefused } from '../../specifications/expect.ts';
import { sharedService } from '../../specifications/specify.ts';

/** Every specification holds that its endpoint reads JSON; here is what is none, with an operation that changes nothing. */
const service = sharedService();

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const send = (body: unknown) => service.post('/api/admin/projects/validate', body);

test.each([
  ['nothing', ''],
  ['half an object', '{'],
  ['half an object in base64', Buffer.from('{')],
  ['a comma too many', '{"a":1,}'],
  ['a byte order mark', '\uFEFF{}'],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['fifty thousand brackets', '['.repeat(50_000)],
  ['deep', nested(40_000), 'The request body is nested too deeply; at most 1000 levels are allowed.'],
  ['a text', '"text"'],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '0'],
  ['an array', '[]'],
])('A body is refused with 400 if it is %s', async (_what, body, message?: string) => {
  const reply = await send(body);
  expectRefused(reply, 400, 'ValidationError');
  if (message !== undefined) expect(reply.body.message).toBe(message);
});

test('A body with a thousand levels is accepted', async () => {
  expect(await send(`{"id":"deep","x":${nested(999)}}`)).toMatchObject({ status: 200 });
});

test('A body is refused if its regular expressions take too many steps together, before any of them is compiled', async () => {
  const constraint = { contextName: 'userId', operator: 'REGEX', value: 'x{1000}'.repeat(9) };
  const reply = await send({ id: 'free', strategies: [{ constraints: Array(4).fill(constraint) }] });
  expectRefused(reply, 400, 'ValidationError');
  expect(reply.body.message).toContain(
    'of a request take 36012 steps for each character of a value, and at most 30000',
  );
  expect(await send({ id: 'free', strategies: [{ constraints: Array(3).fill(constraint) }] })).toMatchObject({
    status: 200,
  });
});
