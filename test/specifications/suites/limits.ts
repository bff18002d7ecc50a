import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { statusOf } from '../../../lib/http/declaration.ts';
import { expectRefused } from '../expect.ts';
import { defaultBodyBytesMax } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** Tests the length and the content type of a body. */
export function testLimits(trial: Trial): void {
  const { bodyBytesMax: limit = defaultBodyBytesMax, takesGzip } = trial.specification;

  const takesBody = trial.declaration.body !== undefined;
  const type = takesBody ? 'JSON with a charset' : 'any content type';

  test(`takes a body of ${limit} bytes and not of one more${trial.declaration.takesForm ? '' : `, of ${type}`}`, async () => {
    const example = await trial.repeatableExample();
    const form = trial.declaration.takesForm ? `${example.body}&padding=` : '{}';
    const text = takesBody ? JSON.stringify(example.body) : form;
    const padded = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text));
    expectRefused(await trial.send(example, { body: padded(limit + 1) }), 413, 'ContentTooLarge');
    const contentType = takesBody ? 'application/json; charset=utf-8' : 'text/plain';
    const headers = trial.declaration.takesForm ? {} : { 'content-type': contentType };
    const answer = await trial.send(example, { body: padded(limit), headers });
    expect(answer.status, answer.text).toBe(statusOf(trial.declaration));
  });

  if (takesBody)
    test('is refused with 415 for another content type than JSON, and for an encoded body', async () => {
      const example = await trial.idleExample();
      for (const contentType of [undefined, 'text/plain']) {
        // An undefined header stands for none: the service would send the right one by itself.
        const headers = { 'content-type': contentType } as Record<string, string>;
        expectRefused(await trial.send(example, { headers }), 415, 'ContentTypeerror');
      }
      const encoded = { 'content-encoding': takesGzip ? 'br' : 'gzip' };
      expectRefused(await trial.send(example, { headers: encoded }), 415, 'ContentTypeerror');
    });

  if (takesGzip)
    test('takes a body that is compressed with gzip', async () => {
      const example = await trial.repeatableExample();
      const body = gzipSync(JSON.stringify(example.body));
      const answer = await trial.send(example, { body, headers: { 'content-encoding': 'gzip' } });
      expect(answer.status, answer.text).toBe(statusOf(trial.declaration));
    });
}
