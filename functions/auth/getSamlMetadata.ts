import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { samlMetadata } from '../../lib/sign-in/sso/saml.ts';

export const handler = endpoint({
  route: 'GET /auth/saml/metadata',
  group: 'Auth',
  summary: 'Returns the SAML metadata of this service, as XML.',
  audience: 'public',
  throttle: { ratePerSecond: 20, burst: 40 },
  contentType: 'application/samlmetadata+xml; charset=utf-8',
  responses: { 200: v.string() },
}).handle(({ request, origin }) => samlMetadata(request, requirePublicUrl(origin)));
