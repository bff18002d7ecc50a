import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** The time for a client that is still sending to notice the reply. */
export const lingerMs = 1_000;

/** Sends the reply of a function, as API Gateway does. */
export function sendAnswer(response: ServerResponse, answer: APIGatewayProxyStructuredResultV2): void {
  response.end(...writeHead(response, answer));
}

/**
 * Replies to a request that may not have been read completely, and closes the connection. For a moment, further data are discarded:
 * unread data would make closing reset the connection, and the client could miss the reply.
 */
export function sendLast(
  request: IncomingMessage,
  response: ServerResponse,
  answer: APIGatewayProxyStructuredResultV2,
): void {
  response.shouldKeepAlive = false;
  response.write(...writeHead(response, answer));
  if (request.complete) {
    response.end();
    return;
  }
  const timer = setTimeout(() => response.end(), lingerMs);
  response.once('close', () => clearTimeout(timer));
  request.removeAllListeners('data').once('end', () => response.end());
  request.resume();
}

/**
 * Writes the status and headers, and returns the body with its encoding. Text is sent in one piece with the headers. ASCII is copied
 * unchanged, which is faster than encoding it.
 */
function writeHead(
  response: ServerResponse,
  answer: APIGatewayProxyStructuredResultV2,
): [content: Buffer | string, encoding: BufferEncoding] {
  const { statusCode = 200, body = '', isBase64Encoded } = answer;
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const length = Buffer.byteLength(content);
  const sent: OutgoingHttpHeaders = {
    // Replies with these statuses have no body, and so no length (RFC 9110, section 8.6).
    ...(statusCode !== 304 && statusCode !== 204 && { 'content-length': length }),
    ...flattenHeaders(answer),
  };
  response.writeHead(statusCode, sent);
  return [content, length === content.length ? 'latin1' : 'utf8'];
}

/** Returns the headers of a reply, with its cookies. */
export function flattenHeaders({ headers, cookies }: APIGatewayProxyStructuredResultV2): OutgoingHttpHeaders {
  return {
    ...(headers as Record<string, string> | undefined),
    ...(cookies !== undefined && cookies.length > 0 && { 'set-cookie': cookies }),
  };
}
