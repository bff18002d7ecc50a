import { isJsonObject, type JsonObject } from '../../values/json.ts';
import { type Remark, readName } from './plan.ts';
import type { Reading } from './reading.ts';

const at = (path: string) => `/api/admin/${path}`;

const isEnabled = ({ enabled }: JsonObject) => enabled === true;
const signOnBy = (provider: string, path: string) => ({
  path: `auth/${path}/settings`,
  name: `single sign-on by ${provider}`,
  isOn: isEnabled,
  reason: 'set it up here: the provider has to know the new address, and secrets do not come along',
});
const settings: readonly { path: string; name: string; isOn: (setting: JsonObject) => boolean; reason: string }[] = [
  signOnBy('SAML', 'saml'),
  signOnBy('OpenID Connect', 'oidc'),
  signOnBy('Google', 'google'),
  {
    path: 'auth/simple/settings',
    name: 'sign-in without passwords',
    isOn: ({ disabled }) => disabled === true,
    reason: 'switch passwords off here when single sign-on works',
  },
  {
    path: 'scim-settings',
    name: 'SCIM',
    isOn: isEnabled,
    reason: 'there is none here: people and groups come over as they are',
  },
];

const lists: readonly {
  readonly path: string;
  readonly member: string;
  readonly what: string;
  readonly reason: string;
  /** The path below a project, for servers that have no list of all. */
  readonly inProjects?: string;
}[] = [
  {
    path: 'release-plan-templates',
    member: 'templates',
    what: 'release template',
    reason: 'there are none here',
  },
  {
    path: 'signal-endpoints',
    member: 'signalEndpoints',
    what: 'signal',
    reason: 'there are none here, nor the actions that they set off',
  },
  { path: 'invite-link/tokens', member: 'tokens', what: 'invitation link', reason: 'make a new one' },
  {
    path: 'search/change-requests?state=IS:open&limit=1000',
    member: 'changeRequests',
    inProjects: 'change-requests',
    what: 'open change request',
    reason: 'apply it before the move, or make it again here',
  },
  {
    path: 'user-access-requests',
    member: 'userAccessRequests',
    what: 'request for access',
    reason: 'decide about it there',
  },
];

const closed: readonly unknown[] = ['Applied', 'Rejected', 'Cancelled'];

/**
 * Reads the parts of a server that have no place here, to name them. Their forms decide nothing, and are not insisted on.
 * @param approving ids of the projects in which changes need approval.
 */
export async function readAbsent(reading: Reading, approving: readonly string[]): Promise<Remark[]> {
  const on = settings.map(async ({ path, name, isOn, reason }) => {
    const setting = await reading.body(at(path));
    return isJsonObject(setting) && isOn(setting) ? [{ name, reason }] : [];
  });
  const listed = lists.map(async ({ path, member, what, reason, inProjects }) => {
    const body = await reading.body(at(path));
    const list = isJsonObject(body) ? body[member] : body;
    const own =
      body === undefined && inProjects ? approving.map((id) => reading.body(at(`projects/${id}/${inProjects}`))) : [];
    const found = [list, ...(await Promise.all(own))].flat();
    const things = found.filter(isJsonObject).filter(({ state }) => !closed.includes(state));
    return things.map((thing) => ({ name: `${what} ${readName('name', 'title', 'email')(thing)}`, reason }));
  });
  return (await Promise.all([...on, ...listed])).flat();
}
