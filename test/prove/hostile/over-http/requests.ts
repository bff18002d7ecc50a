import { gzipSync } from 'node:zlib';
import type { ReadyOperation } from '../operations.ts';
import type { RawRequest } from './raw-request.ts';

const crlf = '\r\n';

interface Parts {
  readonly line?: string;
  readonly headers?: readonly string[];
  readonly body?: Buffer;
}

/** Generates requests that only bytes on a connection can express: broken lines, wrong lengths, duplicate headers. */
export function* rawRequestsOf(operation: ReadyOperation): Generator<RawRequest> {
  const { method, target, headers, body = '' } = operation;
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const bytes = Buffer.from(body);
  const length = `content-length: ${bytes.length}`;
  const line = `${method} ${target} HTTP/1.1`;
  const made = (what: string, parts: Parts, answerers: RawRequest['answerers'] = [operation]): RawRequest => {
    const all = [parts.line ?? line, 'connection: close', ...(parts.headers ?? [...own, length]), '', ''];
    return { what, bytes: Buffer.concat([Buffer.from(all.join(crlf), 'latin1'), parts.body ?? bytes]), answerers };
  };
  const chunk = (data: Buffer, extension = '') => {
    const size = data.length === 0 ? '' : `${data.length.toString(16)}${extension}${crlf}`;
    return Buffer.concat([Buffer.from(size), data, Buffer.from(`${size && crlf}0${crlf}${crlf}`)]);
  };
  const chunked = [...own, 'transfer-encoding: chunked'];
  const packed = gzipSync(bytes);

  yield made('as it should be', {});
  yield made('chunked', { headers: chunked, body: chunk(bytes) });
  yield made('with a trailer', { headers: chunked, body: Buffer.from(`0${crlf}authorization: x${crlf}${crlf}`) });
  // The server itself refuses two hosts (RFC 9112), and headers that are too many for it.
  yield made('headers twice', { headers: [...own, ...own, length] }, [undefined, operation]);
  yield made('many headers', { headers: [...own, length, ...Array(1_500).fill('x-a: b')] }, [undefined, operation]);
  yield made('compressed', {
    headers: [...own, `content-length: ${packed.length}`, 'content-encoding: gzip'],
    body: packed,
  });
  yield made('a whole address', { line: `${method} http://other.example${target} HTTP/1.1` });
  yield made('HTTP/1.0', { line: `${method} ${target} HTTP/1.0` });
  yield made('headers like what every object has', { headers: [...own, length, '__proto__: x', 'constructor: y'] });
  yield made('Latin-1 in headers', { headers: [...own, length, 'x-a: \xe9\xff'] });
  yield made('an upgrade', { headers: [...own, length, 'upgrade: websocket'] });
  yield made('HTTP/2, asked for', { headers: [...own, length, 'upgrade: h2c', 'http2-settings: AAMAAABkAAQAAP__'] });
  yield made('no content type', { headers: [...own.filter((each) => !each.startsWith('content-type')), length] });
  yield made('bytes of every kind', {
    headers: [...own, 'content-length: 256'],
    body: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  });
  for (const [what, parts] of Object.entries<Parts>({
    'no host': { headers: [...own.filter((each) => !each.startsWith('host')), length] },
    'a length that is no number': { headers: [...own, 'content-length: 0x10'] },
    'a negative length': { headers: [...own, 'content-length: -1'] },
    'two lengths': { headers: [...own, length, 'content-length: 1'] },
    'a length and chunks': { headers: [...chunked, length], body: chunk(bytes) },
    'a length beyond all': { headers: [...own, 'content-length: 99999999999999999999'] },
    'a length beyond the limit': { headers: [...own, 'content-length: 999999999'] },
    'chunks of no number': { headers: chunked, body: Buffer.from(`zz${crlf}{}${crlf}`) },
    'chunks that say too much': { headers: chunked, body: chunk(Buffer.from('{}'), `;${'a'.repeat(20_000)}`) },
    'a folded header': { headers: [...own, length, `x-a: b${crlf} c`] },
    'a space before the colon': { headers: [...own, length, 'x-a : b'] },
    'no colon': { headers: [...own, length, 'x-a'] },
    'NUL in a header': { headers: [...own, length, 'x-a: a\0b'] },
    'NUL in the path': { line: `${method} ${target}\0 HTTP/1.1` },
    'bytes in the path': { line: `${method} ${target}\xff\xe9 HTTP/1.1` },
    'a space in the path': { line: `${method} ${target} x HTTP/1.1` },
    'a huge header': { headers: [...own, length, `x-a: ${'b'.repeat(100_000)}`] },
    'a huge path': { line: `${method} ${target}/${'a'.repeat(100_000)} HTTP/1.1` },
    'a method in small letters': { line: `${method.toLowerCase()} ${target} HTTP/1.1` },
    'an unknown method': { line: `BREW ${target} HTTP/1.1` },
    'another version': { line: `${method} ${target} HTTP/9.9` },
    'lines ended by LF alone': { line: `${method} ${target} HTTP/1.1\nhost: a\n\n` },
    TRACE: { line: `TRACE ${target} HTTP/1.1` },
    OPTIONS: { line: `OPTIONS ${target} HTTP/1.1` },
    'an unknown expectation': { headers: [...own, length, 'expect: 200-ok'] },
  })) {
    // Some of them are refused by the server, others by the operation, in the same shape.
    yield made(what, parts, [undefined, operation]);
  }
  const less = { headers: [...own, `content-length: ${bytes.length + 10}`] };
  yield { ...made('less than was announced', less, [undefined]), breaksOff: true };
  const brokenChunks = { headers: chunked, body: Buffer.from(`ff${crlf}{`) };
  yield { ...made('chunks that break off', brokenChunks, [undefined]), breaksOff: true };
  yield { ...made('CONNECT', { line: `CONNECT ${target} HTTP/1.1` }, [undefined]), mayClose: true };
}

/** Input that is not HTTP at all. */
export const noHttp: readonly RawRequest[] = Object.entries({
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  noise: 'x'.repeat(1_000),
  zeros: '\0'.repeat(1_000),
  'empty lines': '\r\n'.repeat(10).concat('GET'),
  everything: 'OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  SSH: 'SSH-2.0-OpenSSH_9.6\r\n',
}).map(([what, text]) => ({ what, bytes: Buffer.from(text, 'latin1'), answerers: [undefined], breaksOff: true }));
