import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { isOrigin } from '../../lib/http/origins.ts';
import { setOrigins } from '../../lib/settings/frontend-origins.ts';
import { object, text } from '../../lib/values/primitives.ts';

const origin = v.pipe(
  text,
  v.check(isOrigin, 'An origin such as https://shop.example.com or https://*.example.com is required, or *.'),
);

export const handler = endpoint({
  route: 'POST /api/admin/ui-config/cors',
  group: 'Admin UI',
  summary: 'Sets the origins whose scripts may use the frontend API.',
  description:
    'They replace those of `FRONTEND_API_ORIGINS`. `https://*.example.com` matches every subdomain, but not the domain itself; an empty list allows no origin. The change takes effect within 5 seconds.',
  permission: ['ADMIN', 'UPDATE_CORS'],
  body: object({ frontendApiOrigins: v.pipe(v.array(origin), v.maxLength(1_000)) }),
  responses: { 204: null },
}).handle(({ request, caller, body }) => setOrigins(request, caller, body.frontendApiOrigins));
