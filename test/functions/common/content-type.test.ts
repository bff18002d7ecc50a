import { beforeAll, describe, test } from 'vitest';
import type { Service } from '../../harness/service.ts';
import { expectAccepted, expectRefused, operations, operationsWithBody, preparedService } from './operations.ts';

let service: Service;
beforeAll(async () => {
  service = await preparedService();
});

const supported = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'Application/JSON',
  'application/json;',
  // RFC 9110 allows a space on both sides of the semicolon.
  'application/json ; charset=utf-8',
];

const unsupported = [
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
];

const encodings = ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip', 'unheard-of'];

describe.each(operationsWithBody)('$operationId', ({ method, target, body }) => {
  const send = (headers: Record<string, string | undefined>) =>
    // An undefined header stands for none: the service would send the right one by itself.
    service.call(method, target, { body, headers: headers as Record<string, string> });

  test.each(unsupported)('answers 415 to the content type %j', async (contentType) => {
    expectRefused(await send({ 'content-type': contentType }), 415, 'ContentTypeerror');
  });

  test.each(supported)('takes the content type %j', async (contentType) => {
    expectAccepted(await send({ 'content-type': contentType }));
  });

  test('answers 415 to a body that is encoded, whatever it is encoded with', async () => {
    for (const encoding of encodings) {
      expectRefused(await send({ 'content-encoding': encoding }), 415, 'ContentTypeerror');
    }
    expectAccepted(await send({ 'content-encoding': 'identity' }));
  });

  test('answers 415 where neither a body nor a content type is sent', async () => {
    expectRefused(await service.call(method, target), 415, 'ContentTypeerror');
  });
});

describe.each(operations.filter(({ body, method }) => body === undefined && method === 'GET'))(
  '$operationId',
  ({ method, target }) => {
    test('takes any content type, since it takes no body', async () => {
      for (const contentType of ['text/plain', 'application/json', '']) {
        const { status } = await service.call(method, target, { headers: { 'content-type': contentType } });
        // Nothing has been stored that GET could answer for the settings.
        if (status !== 404)
          expectAccepted(await service.call(method, target, { headers: { 'content-type': contentType } }));
      }
    });
  },
);
