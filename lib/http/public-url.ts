import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';

/**
 * The address of the service, such as https://flags.example.com: what `PUBLIC_URL` says, or else the domain that AWS has
 * found the API by. No header has a say, since the caller writes it. Undefined where nobody has said it.
 */
export function publicUrlOf({ requestContext }: Pick<APIGatewayProxyEventV2, 'requestContext'>): string | undefined {
  const { PUBLIC_URL } = process.env;
  if (PUBLIC_URL) return PUBLIC_URL;
  return requestContext?.domainName ? `https://${requestContext.domainName}` : undefined;
}

/**
 * The address of the service for what cannot do without: links that are sent, and what identity providers send people to.
 * @throws ApiError 503 where nobody has said it.
 */
export function requirePublicUrl(origin: string | undefined): string {
  if (origin !== undefined) return origin;
  throw new ApiError(
    'ServiceUnavailable',
    'This service does not know its own address, so it makes no links and takes no single sign-on: set PUBLIC_URL, such as PUBLIC_URL=https://flags.example.com.',
  );
}
