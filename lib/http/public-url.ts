import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../errors.ts';
import { readPublicUrl } from '../values/web-address.ts';

/**
 * Returns the base URL of the service, such as https://flags.example.com: `PUBLIC_URL`, or the domain of the API at AWS; undefined
 * without either. No header is used, since callers could send any.
 */
export function publicUrlOf({ requestContext }: Pick<APIGatewayProxyEventV2, 'requestContext'>): string | undefined {
  return readPublicUrl() ?? (requestContext?.domainName ? `https://${requestContext.domainName}` : undefined);
}

/**
 * Requires the base URL of the service, for links in mails, and for the addresses to which identity providers redirect people.
 * @throws ApiError 503 if it is unknown.
 */
export function requirePublicUrl(origin: string | undefined): string {
  if (origin !== undefined) return origin;
  throw new ApiError(
    'ServiceUnavailable',
    'Links and single sign-on need the address of this service, which is unknown: set PUBLIC_URL, for example PUBLIC_URL=https://flags.example.com.',
  );
}
