import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError, invalid } from '../../errors.ts';
import type { Route } from './router.ts';

/**
 * Returns the event of payload format 2.0 that API Gateway would create from a request:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function toEvent(
  request: IncomingMessage,
  { routeKey, rawPath, rawQueryString, pathParameters }: Route,
  body: Buffer | undefined,
  requestId: string,
): APIGatewayProxyEventV2 {
  const { headers, cookies } = readHeaders(request.rawHeaders);
  const sourceIp = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  // The address is always appended, so that the position of addresses is known: two proxies on one machine have the same address.
  append(headers, 'x-forwarded-for', sourceIp);
  const now = Date.now();
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: readQuery(rawQueryString) }),
    ...(pathParameters !== undefined && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      // Without a gateway, the domain is unknown; PUBLIC_URL has it.
      domainName: '',
      domainPrefix: '',
      http: {
        method: request.method ?? '',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: toLogTime(now),
      timeEpoch: now,
    },
    ...toText(body, headers),
  };
}

type Texts = Record<string, string>;

/** Returns an object without a prototype, so that names in requests cannot match inherited properties. */
const emptyTexts = (): Texts => Object.create(null);

function append(texts: Texts, name: string, value: string): void {
  const before = texts[name];
  texts[name] = before === undefined ? value : `${before},${value}`;
}

/** Reads the raw headers, which alternate names and values. Node drops some repeated headers elsewhere. */
function readHeaders(raw: readonly string[]): { headers: Texts; cookies: string[] } {
  const headers = emptyTexts();
  const cookies: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    const value = raw[index + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/; */));
    else append(headers, name, value);
  }
  return { headers, cookies };
}

function readQuery(rawQueryString: string): Texts {
  const query = emptyTexts();
  for (const [name, value] of new URLSearchParams(rawQueryString)) append(query, name, value);
  return query;
}

const textType = /^(text\/|application\/([^;]+\+)?(json|xml|javascript)\s*(;|$))/i;

/** Passes text on as text, and everything else in base64. */
function toText(body: Buffer | undefined, headers: Texts): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> {
  if (body === undefined) return { isBase64Encoded: false };
  const isText =
    headers['content-encoding'] === undefined && textType.test(headers['content-type'] ?? '') && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

let lastLogTime = { second: 0, text: '' };

/** Returns a time in the format of web servers, `12/Mar/2020:19:03:58 +0000`. It is cached, since many requests come in a second. */
function toLogTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1_000);
  if (second !== lastLogTime.second) {
    const [, day, month, year, clock] = new Date(milliseconds).toUTCString().split(' ');
    lastLogTime = { second, text: `${day}/${month}/${year}:${clock} +0000` };
  }
  return lastLogTime.text;
}

/** API Gateway's documented limit of a request. */
const maxGatewayBytes = 10 * 1024 * 1024;

/** Returns true if the headers of a request announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * Reads the body of a request; undefined if it is empty. If the body exceeds `maxBytes`, the highest limit of any function, one more
 * byte is read: then the function can refuse it as too large after it has authenticated the caller.
 * @throws ApiError 413 if the announced length exceeds API Gateway's limit, and 400 if the body ends early.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > maxGatewayBytes) {
    throw new ApiError(
      'ContentTooLarge',
      `The request body is too large; at most ${maxGatewayBytes} bytes are allowed.`,
    );
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      request.pause();
      resolve();
    });
    request.once('end', resolve);
    request.once('error', () => reject(invalid('The request was cut off.')));
  });
  return bytes === 0 ? undefined : Buffer.concat(chunks).subarray(0, maxBytes + 1);
}
