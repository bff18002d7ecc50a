import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A request as it was sent, for who checks its signature. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** A header, by its name in small letters. */
  header(name: string): string | undefined;
  /** Its body. */
  bytes(): Buffer;
}

export function sentRequest({
  headers,
  body,
  isBase64Encoded,
  rawPath,
  requestContext,
}: APIGatewayProxyEventV2): SentRequest {
  return {
    method: requestContext?.http?.method ?? '',
    path: rawPath,
    header: (name) => headers[name],
    bytes: () => Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
