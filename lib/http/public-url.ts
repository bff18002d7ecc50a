import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import { readPublicUrl } from '../values/web-address.ts';

/**
 * Returns the base URL of the service, such as https://flags.example.com: `PUBLIC_URL`, or else the domain by which AWS
 * has found the API; undefined without either. No header has a say, since the caller writes it.
 */
export function publicUrlOf({ requestContext }: Pick<APIGatewayProxyEventV2, 'requestContext'>): string | undefined {
  return readPublicUrl() ?? (requestContext?.domainName ? `https://${requestContext.domainName}` : undefined);
}

/**
 * Requires the base URL of the service, for links that are mailed, and for URLs to which identity providers send
 * people.
 * @throws ApiError 503 if it is unknown.
 */
export function requirePublicUrl(origin: string | undefined): string {
  if (origin !== undefined) return origin;
  throw new ApiError(
    'ServiceUnavailable',
    'This service does not know its own address, which links and single sign-on need: set PUBLIC_URL, such as PUBLIC_URL=https://flags.example.com.',
  );
}
