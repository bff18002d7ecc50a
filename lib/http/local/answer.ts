import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** Time that a client that is still sending has to notice the answer. */
export const lingerMs = 1_000;

/** Writes the answer of a function, the way API Gateway does. */
export function sendAnswer(response: ServerResponse, answer: APIGatewayProxyStructuredResultV2): void {
  response.end(...writeHead(response, answer));
}

/**
 * Answers a request that may not have been read to its end, and closes the connection. What still arrives is thrown
 * away for a moment: were it left in the socket, closing would reset the connection, and the client could miss the
 * answer.
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
 * Writes status and headers, and returns the body to be written, with its encoding; text goes out in one piece with them. ASCII
 * is copied as it is, which takes less time than encoding it.
 */
function writeHead(
  response: ServerResponse,
  answer: APIGatewayProxyStructuredResultV2,
): [content: Buffer | string, encoding: BufferEncoding] {
  const { statusCode = 200, headers, cookies, body = '', isBase64Encoded } = answer;
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const length = Buffer.byteLength(content);
  const sent: OutgoingHttpHeaders = {
    // Neither of the two has a body that could have a length (RFC 9110, section 8.6).
    ...(statusCode !== 304 && statusCode !== 204 && { 'content-length': length }),
    ...(headers as Record<string, string> | undefined),
    ...(cookies !== undefined && cookies.length > 0 && { 'set-cookie': cookies }),
  };
  response.writeHead(statusCode, sent);
  return [content, length === content.length ? 'latin1' : 'utf8'];
}
