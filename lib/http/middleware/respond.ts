import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { ApiError } from '../../errors.ts';
import type { HttpReply } from '../../idempotency/record-items.ts';
import { type Declaration, isConditional } from '../declaration.ts';
import { contentEtag, isKnown } from '../etag.ts';
import type { StreamAnswer, StreamReply } from '../event-stream.ts';
import type { Middleware, State } from './state.ts';

/** Below this size, compressing takes longer than it saves. */
const minCompressedBytes = 8 * 1024;
/** Lambda's documented limit of a reply is 6 MB, including headers. */
const maxReplyBytes = 5.9 * 1024 * 1024;

const compress = promisify(gzip);
/** The level for replies that are sent once. It takes a third of the time of the usual level, and saves nearly as much. */
const level = 3;
/** Up to this length, the way through another thread takes longer than compressing does. */
const compressedHereMax = 256 * 1024;

/** The headers of every reply. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** Completes every reply: adds the common headers, and compresses it if that saves time. */
export function respond(declaration?: Declaration): Middleware {
  const answersUnchanged = declaration !== undefined && isConditional(declaration);
  return {
    after: async function respondAfter(request) {
      const { event, context, response } = request;
      // The handler returns our own type; from here on it is the type of API Gateway.
      const reply: StreamReply = withEtag(response as unknown as HttpReply, answersUnchanged);
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
      const answer: StreamAnswer = {
        ...(reply.stream && { stream: reply.stream }),
        statusCode: status,
        headers: { ...headersOf(context, text !== ''), ...content.headers, ...others },
        // API Gateway expects cookies apart from the other headers.
        ...(cookie !== undefined && { cookies: [cookie] }),
        body: content.body,
        isBase64Encoded: content.isBase64Encoded,
      };
      request.response = forMethod(event, answer);
    },
    onError: function respondOnError(request) {
      const { event, response, context } = request;
      const headers = { ...headersOf(context, true), ...response?.headers };
      request.response = forMethod(event, { ...response, headers });
    },
  };
}

/** Combines the checks whether the token and the content are still valid; undefined if one of them is missing. */
function bothHold(token: State['tokenHolds'], content: State['holds']): State['holds'] {
  return token && content && ((at) => token(at) && content(at));
}

function withEtag(reply: HttpReply, isConditional: boolean): HttpReply {
  const { status, headers, text } = reply;
  if (!isConditional || status !== 200 || headers.etag !== undefined) return reply;
  return { ...reply, headers: { ...headers, etag: contentEtag(text) } };
}

/** Replaces the body of a reply to HEAD with its length (RFC 9110, section 9.3.2). */
function forMethod(
  { requestContext }: APIGatewayProxyEventV2,
  answer: StreamAnswer,
): APIGatewayProxyStructuredResultV2 {
  if (requestContext?.http?.method !== 'HEAD') return answer;
  const { stream: _, ...response } = answer;
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

/** Returns the header with the warnings for the caller; empty without warnings. */
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
  // A character takes at least one byte.
  const isLong = text.length >= minCompressedBytes || Buffer.byteLength(text) >= minCompressedBytes;
  if (!isLong || !acceptsGzip(acceptEncoding)) return { body: text, isBase64Encoded: false, headers: {} };
  return {
    body: await (ready === undefined ? compressText(text) : compressOnce(ready, text)),
    isBase64Encoded: true,
    headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
  };
}

/** Returns an image, which is compressed already. */
function encodedBytes(bytes: Buffer): Content {
  return { body: bytes.toString('base64'), isBase64Encoded: true, headers: {} };
}

async function compressText(text: string): Promise<string> {
  const bytes = text.length <= compressedHereMax ? gzipSync(text, { level }) : await compress(text, { level });
  return bytes.toString('base64');
}

const compressedBodies = new WeakMap<object, Promise<string>>();

function compressOnce(ready: object, text: string): Promise<string> {
  const body = compressedBodies.get(ready) ?? compress(text).then((bytes) => bytes.toString('base64'));
  compressedBodies.set(ready, body);
  return body;
}

/** Lambda sends a body as a JSON string, which may be longer. Short bodies need not be measured. */
function isTooLarge(body: string): boolean {
  return body.length > maxReplyBytes / 6 && Buffer.byteLength(JSON.stringify(body)) > maxReplyBytes;
}

function acceptsGzip(acceptEncoding = ''): boolean {
  return acceptEncoding.split(',').some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding));
}
