import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** What the signature of a request is about. */
export interface SentRequest {
  /** A header, by its name in small letters. */
  header(name: string): string | undefined;
  /** The body as it was sent. */
  bytes(): Buffer;
}

/** A request as it was sent, for who checks its signature. */
export function sentRequest({ headers, body, isBase64Encoded }: APIGatewayProxyEventV2): SentRequest {
  return {
    header: (name) => headers[name],
    bytes: () => Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
