import { test } from 'vitest';
import { expectRefused } from '../../specifications/expect.ts';
import { sharedService } from '../../specifications/specify.ts';

/** Every specification holds that its endpoint reads JSON; here is what is none, with an operation that changes nothing. */
const service = sharedService();

const send = (body: unknown) => service.post('/api/admin/projects/validate', body);

test.each([
  ['nothing', ''],
  ['half an object', '{'],
  ['half an object in base64', Buffer.from('{')],
  ['a comma too many', '{"a":1,}'],
  ['a byte order mark', '\uFEFF{}'],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['fifty thousand brackets', '['.repeat(50_000)],
  ['a text', '"text"'],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '0'],
  ['an array', '[]'],
])('A body is refused with 400 where it is %s', async (_what, body) => {
  expectRefused(await send(body), 400, 'ValidationError');
});
