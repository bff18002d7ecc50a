import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * Returns the headers of a request, by their lowercase names, and its body as it was sent: the parts that a signature
 * covers.
 */
export function sentRequest({ headers, body, isBase64Encoded }: APIGatewayProxyEventV2) {
  return {
    header: (name: string) => headers[name],
    bytes: () => Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
