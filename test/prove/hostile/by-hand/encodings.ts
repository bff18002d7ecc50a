import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ReadyOperation } from '../operations.ts';
import { alteredRequest, type HostileRequest } from '../request.ts';

const notJson: readonly string[] = Object.values({
  nothing: ['', ' '],
  'cut off': ['{', '}', '{"a"', '{"a":', '{"a":1', '["'],
  'other languages': ["{'a':1}", '{a:1}', 'undefined', 'a=1&b=2', '<a/>', '// comment\n{}', '/**/{}'],
  'a form': ['--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--'],
  'no numbers': ['NaN', 'Infinity', '01', '+1', '.5', '0x10', '1e400'],
  'no texts': ['"\t"', '"\\x41"', '"\\u00"', '\ud800', '{"a":"\ud800"}'],
  'more than JSON': ['{"a":1,}', '[1,]', '{} {}', '\u0000{}', '{}\u0000', '\ufeff{}'],
  depth: ['['.repeat(90_000), '{"a":'.repeat(15_000)],
}).flat();

/** Bodies that are no JSON, or JSON in an encoding that was not announced, or announced but not taken. */
export function* hostileEncodings(operation: ReadyOperation): Generator<HostileRequest> {
  const { headers } = operation;
  // Also where no body is taken: it must not matter there.
  const body = operation.body ?? '{"a":1}';
  const request = (what: string, sent: string | Buffer, more: Record<string, string> = {}) =>
    alteredRequest(operation, what, { body: sent, headers: { ...headers, ...more } });
  for (const text of notJson) {
    yield request('no JSON', text);
    yield request('no JSON, in bytes', Buffer.from(text));
  }
  for (const end of [1, Math.floor(body.length / 2), body.length - 1]) yield request('cut off', body.slice(0, end));
  const utf16 = Buffer.from(`\ufeff${body}`, 'utf16le');
  const odd: Record<string, Buffer> = {
    'UTF-16, little end first': utf16,
    'UTF-16, big end first': Buffer.from(utf16).swap16(),
    'UTF-16 without a mark': Buffer.from(body, 'utf16le'),
    'UTF-8 with a mark': Buffer.from(`\ufeff${body}`),
    'Latin-1': Buffer.from(`${body.slice(0, -1)},"é":"é"}`, 'latin1'),
    'overlong UTF-8': Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
    'a surrogate in UTF-8': Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    'bytes of every kind': Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    zeros: Buffer.alloc(50_000),
  };
  for (const [what, bytes] of Object.entries(odd)) {
    yield request(what, bytes);
    for (const charset of ['utf-16', 'iso-8859-1', 'utf-7', 'utf-8']) {
      yield request(`${what} as ${charset}`, bytes, { 'content-type': `application/json; charset=${charset}` });
    }
  }
  const packed = { gzip: gzipSync(body), deflate: deflateSync(body), br: brotliCompressSync(body) };
  for (const [encoding, bytes] of Object.entries(packed)) {
    yield request(`${encoding}, not announced`, bytes);
    yield request(`${encoding}, announced`, bytes, { 'content-encoding': encoding });
  }
  yield request('a bomb', gzipSync(Buffer.alloc(20_000_000, ' ')), { 'content-encoding': 'gzip' });
  yield request('announced as gzip', body, { 'content-encoding': 'gzip' });
  yield request('announced as identity, twice', body, { 'content-encoding': 'identity, identity' });
  for (const bytes of [102_399, 102_400, 102_401, 1_000_000, 6_000_000]) {
    yield request(`${bytes} bytes`, body.padEnd(bytes));
    yield request(`${bytes} bytes in base64`, Buffer.from(body.padEnd(bytes)));
    yield request(`${bytes} bytes of a list`, `[${'0,'.repeat(bytes / 2 - 2)}0]`);
  }
}
