import { isJsonObject, type JsonObject } from '../../values/json.ts';
import type { Reading, Remark } from './reading.ts';
import { readName } from './server-values.ts';

const at = (path: string) => `/api/admin/${path}`;

const isEnabled = ({ enabled }: JsonObject) => enabled === true;
const signOnBy = (provider: string, path: string) => ({
  path: `auth/${path}/settings`,
  name: `single sign-on by ${provider}`,
  isOn: isEnabled,
  reason: 'set it up here: the provider must know the new address, and secrets are not imported',
});
const settings: readonly { path: string; name: string; isOn: (setting: JsonObject) => boolean; reason: string }[] = [
  signOnBy('SAML', 'saml'),
  signOnBy('OpenID Connect', 'oidc'),
  signOnBy('Google', 'google'),
  {
    path: 'auth/simple/settings',
    name: 'sign-in without passwords',
    isOn: ({ disabled }) => disabled === true,
    reason: 'switch off passwords here when single sign-on works',
  },
  {
    path: 'scim-settings',
    name: 'SCIM',
    isOn: isEnabled,
    reason:
      'set it up here: people and groups are imported as they are, and the directory must know the new address and token',
  },
];

const lists: readonly {
  readonly path: string;
  readonly member: string;
  readonly kind: string;
  readonly reason: string;
  /** The path below a project, for servers without a list of all. */
  readonly inProjects?: string;
}[] = [
  {
    path: 'signal-endpoints',
    member: 'signalEndpoints',
    kind: 'signal',
    reason: 'Flagstaff has neither signals nor actions',
  },
  { path: 'invite-link/tokens', member: 'tokens', kind: 'invitation link', reason: 'create a new one' },
  {
    path: 'search/change-requests?state=IS:open&limit=1000',
    member: 'changeRequests',
    inProjects: 'change-requests',
    kind: 'open change request',
    reason: 'apply it before the migration, or create it again here',
  },
  {
    path: 'user-access-requests',
    member: 'userAccessRequests',
    kind: 'request for access',
    reason: 'accept or reject it there',
  },
];

const closedStates: readonly unknown[] = ['Applied', 'Rejected', 'Cancelled'];

/**
 * Reads the names of the parts that cannot be imported. Answers in another form are ignored.
 * @param approving ids of the projects with protected environments.
 */
export async function readAbsent(reading: Reading, approving: readonly string[]): Promise<Remark[]> {
  const on = settings.map(async ({ path, name, isOn, reason }) => {
    const setting = await reading.body(at(path));
    return isJsonObject(setting) && isOn(setting) ? [{ name, reason }] : [];
  });
  const listed = lists.map(async ({ path, member, kind, reason, inProjects }) => {
    const body = await reading.body(at(path));
    const list = isJsonObject(body) ? body[member] : body;
    const own =
      body === undefined && inProjects ? approving.map((id) => reading.body(at(`projects/${id}/${inProjects}`))) : [];
    const things = [list, ...(await Promise.all(own))]
      .flat()
      .filter(isJsonObject)
      .filter(({ state }) => !closedStates.includes(state));
    return things.map((thing) => ({ name: `${kind} ${readName('name', 'title', 'email')(thing)}`, reason }));
  });
  return (await Promise.all([...on, ...listed])).flat();
}
