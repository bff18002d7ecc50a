import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { boolean, count, object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Unavailable');

export const getConnectedEdges = endpoint({
  route: 'GET /api/admin/metrics/edges',
  summary: 'Returns the connected instances of Unleash Edge, which are not recorded.',
  description:
    'The list is always empty; it exists for pages and scripts that request it. `GET /api/admin/metrics/instances/{appName}/environment/{environment}` lists instances of SDKs.',
  rights: 'none',
  responses: { 200: object({ connectedEdges: v.array(v.looseObject({})), revisionIds: v.array(count) }) },
}).handle(async () => ({ connectedEdges: [], revisionIds: [] }));

export const getLicenseCheck = endpoint({
  route: 'GET /api/admin/license/check',
  summary: 'Returns the state of the license, which is not needed.',
  description: "`isValid` is always true, so that Unleash's admin UI shows no warning.",
  rights: 'none',
  responses: { 200: object({ isValid: boolean }) },
}).handle(async () => ({ isValid: true }));

export const getLicensedUsers = endpoint({
  route: 'GET /api/admin/licensed-users',
  summary: 'Returns the number of licensed seats, which is always 0.',
  description: 'The number of users is not limited. `GET /api/admin/user-admin` lists them.',
  rights: 'none',
  responses: {
    200: object({ seatCount: count, licensedUsers: object({ current: count, history: v.array(v.looseObject({})) }) }),
  },
}).handle(async () => ({ seatCount: 0, licensedUsers: { current: 0, history: [] } }));

export const getTrafficBundles = endpoint({
  route: 'GET /api/instance/trafficBundles',
  summary: 'Returns the included and purchased requests in millions. There is no limit.',
  description: 'Both numbers are always 0. `GET /api/admin/metrics/traffic` counts the calls.',
  rights: 'none',
  responses: { 200: object({ includedTraffic: count, purchasedTraffic: count }) },
}).handle(async () => ({ includedTraffic: 0, purchasedTraffic: 0 }));
