import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { ApiError } from '../../errors.ts';
import type { HttpReply } from '../../idempotency/receipt-items.ts';
import { type Declaration, isConditional } from '../declaration.ts';
import { contentEtag, isKnown } from '../etag.ts';
import type { Middleware, State } from './state.ts';

/** Below this, the time to compress is worth more than the bytes it saves. */
const compressedBytesMin = 8 * 1024;
/** Lambda's documented limit of an answer is 6 MB, headers included. */
const answerBytesMax = 5.9 * 1024 * 1024;

const compress = promisify(gzip);

/** The headers of every answer. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** Gives every reply its final form: compressed if that helps, with the headers common to all. */
export function respond(declaration?: Declaration): Middleware {
  const answersUnchanged = declaration !== undefined && isConditional(declaration);
  return {
    after: async function respondAfter(request) {
      const { event, context, response } = request;
      // From here on it is what API Gateway expects.
      const reply = withEtag(response as unknown as HttpReply, answersUnchanged);
      const isUnchanged = answersUnchanged && isKnown(event.headers['if-none-match'], reply.headers.etag);
      const { status, headers, text, ready, bytes } = isUnchanged ? { ...reply, status: 304, text: '' } : reply;
      if (isUnchanged) context.holds = bothHold(context.tokenHolds, ready?.holds);
      const content =
        bytes === undefined ? await encode(text, event.headers['accept-encoding'], ready) : encodedBytes(bytes);
      if (isTooLarge(content.body)) {
        throw new ApiError(
          'ContentTooLarge',
          'The response is too large to be sent; accept gzip or request a part of it.',
        );
      }
      const { 'set-cookie': cookie, ...others } = headers;
      request.response = forMethod(event, {
        statusCode: status,
        headers: { ...headersOf(context, text !== ''), ...content.headers, ...others },
        // API Gateway takes them apart from the other headers.
        ...(cookie !== undefined && { cookies: [cookie] }),
        body: content.body,
        isBase64Encoded: content.isBase64Encoded,
      });
    },
    onError: function respondOnError(request) {
      const { event, response, context } = request;
      const headers = { ...headersOf(context, true), ...response?.headers };
      request.response = forMethod(event, { ...response, headers });
    },
  };
}

/** Combines the checks that token and content still hold; undefined if either has none. */
function bothHold(token: State['tokenHolds'], content: State['holds']): State['holds'] {
  return token && content && ((at) => token(at) && content(at));
}

function withEtag(reply: HttpReply, isConditional: boolean): HttpReply {
  const { status, headers, text } = reply;
  if (!isConditional || status !== 200 || headers.etag !== undefined) return reply;
  return { ...reply, headers: { ...headers, etag: contentEtag(text) } };
}

/** HEAD is answered as GET is, with the length of the body instead of it (RFC 9110, section 9.3.2). */
function forMethod({ requestContext }: APIGatewayProxyEventV2, response: APIGatewayProxyStructuredResultV2) {
  if (requestContext?.http?.method !== 'HEAD') return response;
  const { body = '', isBase64Encoded, headers } = response;
  const length = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  return { ...response, headers: { ...headers, 'content-length': String(length) }, body: '', isBase64Encoded: false };
}

function headersOf({ awsRequestId, service }: Context & State, isJson: boolean): Record<string, string> {
  return {
    ...commonHeaders,
    'x-request-id': awsRequestId,
    ...toWarningHeader(service?.warnings ?? new Set()),
    ...(isJson && { 'content-type': 'application/json; charset=utf-8' }),
  };
}

/** Returns the header that tells warnings to the caller; none for none. */
export function toWarningHeader(warnings: ReadonlySet<string>): { readonly warning?: string } {
  return warnings.size === 0
    ? {}
    : { warning: [...warnings].map((text) => `199 - ${JSON.stringify(text)}`).join(', ') };
}

interface Content {
  body: string;
  isBase64Encoded: boolean;
  headers: Record<string, string>;
}

async function encode(text: string, acceptEncoding: string | undefined, ready?: object): Promise<Content> {
  // Each character takes one byte at least.
  const isLong = text.length >= compressedBytesMin || Buffer.byteLength(text) >= compressedBytesMin;
  if (!isLong || !acceptsGzip(acceptEncoding)) return { body: text, isBase64Encoded: false, headers: {} };
  return {
    body: await (ready === undefined ? compressed(text) : compressedOnce(ready, text)),
    isBase64Encoded: true,
    headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
  };
}

/** Images are compressed already. */
function encodedBytes(bytes: Buffer): Content {
  return { body: bytes.toString('base64'), isBase64Encoded: true, headers: {} };
}

async function compressed(text: string): Promise<string> {
  return (await compress(text)).toString('base64');
}

const compressedBefore = new WeakMap<object, Promise<string>>();

function compressedOnce(ready: object, text: string): Promise<string> {
  const body = compressedBefore.get(ready) ?? compressed(text);
  compressedBefore.set(ready, body);
  return body;
}

/** Lambda hands a body on as text in JSON; only what is long needs to be measured that way. */
function isTooLarge(body: string): boolean {
  return body.length > answerBytesMax / 6 && Buffer.byteLength(JSON.stringify(body)) > answerBytesMax;
}

function acceptsGzip(acceptEncoding = ''): boolean {
  return acceptEncoding.split(',').some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding));
}
