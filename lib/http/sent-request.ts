import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The headers of a request, by their names in small letters, and its body as it was sent: what a signature covers. */
export function sentRequest({ headers, body, isBase64Encoded }: APIGatewayProxyEventV2) {
  return {
    header: (name: string) => headers[name],
    bytes: () => Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
