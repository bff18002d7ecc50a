import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * Returns the headers of a request by lowercase name, and the bytes of its body. A signature covers these parts.
 */
export function sentRequest({ headers, body, isBase64Encoded }: APIGatewayProxyEventV2) {
  return {
    header: (name: string) => headers[name],
    bytes: () => Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
