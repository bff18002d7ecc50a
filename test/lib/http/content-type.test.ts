import { expect, test } from 'vitest';
import { expectRefused } from '../../specifications/expect.ts';
import { sharedService } from '../../specifications/specify.ts';

/**
 * Every specification holds that its endpoint has this check; here is what it says, with an operation that changes nothing.
 */
const service = sharedService();

const send = (headers: Record<string, string | undefined>) =>
  // An undefined header stands for none: the service would send the right one by itself.
  service.post('/api/admin/projects/validate', { id: 'fresh' }, { headers: headers as Record<string, string> });

test.each([
  undefined,
  '',
  'text/plain',
  'text/json',
  'text/plain; application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'application/json-patch+json',
  'application/jsonp',
  'application/xml',
  'application/*',
  'json',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'application/json,text/plain',
])('The content type %j is refused with 415', async (contentType) => {
  expectRefused(await send({ 'content-type': contentType }), 415, 'ContentTypeerror');
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'Application/JSON',
  'application/json;',
  // RFC 9110 allows a space on both sides of the semicolon.
  'application/json ; charset=utf-8',
])('The content type %j is accepted', async (contentType) => {
  expect((await send({ 'content-type': contentType })).status).toBe(200);
});

test('A body with any content encoding is refused with 415', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip', 'unheard-of']) {
    expectRefused(await send({ 'content-encoding': encoding }), 415, 'ContentTypeerror');
  }
  expect((await send({ 'content-encoding': 'identity' })).status).toBe(200);
});

test('A request without a body and a content type gets a 415', async () => {
  expectRefused(await service.call('POST', '/api/admin/projects/validate'), 415, 'ContentTypeerror');
});
