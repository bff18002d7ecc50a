import { describe, expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { createServiceAccount } from '../../../lib/people/administer-service-accounts.ts';
import { createGroup } from '../../../lib/people/groups/administer-groups.ts';
import { createRole } from '../../../lib/people/roles/administer-roles.ts';
import { createProject } from '../../../lib/provisioning/create-project.ts';
import type { Request } from '../../../lib/request.ts';
import { createSegment } from '../../../lib/segments/administer-segments.ts';
import type { Service } from '../../harness/service.ts';
import { test } from '../../specifications/specify.ts';

const admin = '/api/admin';
const expiresAt = '2126-01-01T00:00:00Z';
let accounts = 0;

/** Kinds of things with a display name: how one is created, and where its name is in the reply. */
const named: Readonly<
  Record<string, { path: string; body: (name: string) => object; nameIn: (reply: never) => unknown; isShared?: true }>
> = {
  role: {
    path: `${admin}/roles`,
    body: (name) => ({ name }),
    nameIn: ({ roles }: { roles: { name: string } }) => roles.name,
  },
  group: { path: `${admin}/groups`, body: (name) => ({ name }), nameIn: ({ name }) => name },
  segment: { path: `${admin}/segments`, body: (name) => ({ name, constraints: [] }), nameIn: ({ name }) => name },
  project: { path: `${admin}/projects`, body: (name) => ({ name }), nameIn: ({ name }) => name, isShared: true },
  'service account': {
    path: `${admin}/service-account`,
    body: (name) => ({ name, username: `account-${++accounts}`, rootRole: 3 }),
    nameIn: ({ name }) => name,
    isShared: true,
  },
  invitation: {
    path: `${admin}/invite-link/tokens`,
    body: (name) => ({ name, expiresAt }),
    nameIn: ({ name }) => name,
    isShared: true,
  },
  'API token': {
    path: `${admin}/api-tokens`,
    body: (tokenName) => ({ tokenName, type: 'client', environment: 'development' }),
    nameIn: ({ tokenName }) => tokenName,
    isShared: true,
  },
};

const blanks = ['', ' ', ' \t\n\u00a0\u3000'];

describe.each(Object.entries(named))('The name of a new %s', (_, { path, body, nameIn, isShared }) => {
  test('is trimmed, and cannot be blank', async ({ service }) => {
    const create = (name: string) => service.post(path, body(name));
    const created = await create('\t Blue team \u00a0');
    expect(created.status).toBeLessThan(300);
    expect(nameIn(created.body as never)).toBe('Blue team');
    expect((await create(' Blue team')).status).toBe(isShared ? created.status : 409);
    for (const name of blanks) expect((await create(name)).status, JSON.stringify(name)).toBe(400);
  });
});

/** Creates a thing as releases before this rule did, and returns its path and the body of an update. */
const older: Readonly<
  Record<string, (table: Request, name: string) => Promise<{ path: string; body: object; list: string }>>
> = {
  role: async (table, name) => {
    const { id } = (await createRole(table, systemUser, { name })).value;
    return { path: `${admin}/roles/${id}`, body: { description: 'new' }, list: `${admin}/roles` };
  },
  group: async (table, name) => {
    const { id } = (await createGroup(table, systemUser, { name })).value;
    return { path: `${admin}/groups/${id}`, body: { description: 'new' }, list: `${admin}/groups` };
  },
  segment: async (table, name) => {
    const { id } = (await createSegment(table, systemUser, { name, constraints: [] })).value;
    const body = { description: 'new', constraints: [] };
    return { path: `${admin}/segments/${id}`, body, list: `${admin}/segments` };
  },
  project: async (table, name) => {
    const { id } = (await createProject(table, systemUser, { name })).value;
    return { path: `${admin}/projects/${id}`, body: { description: 'new' }, list: `${admin}/projects` };
  },
  'service account': async (table, name) => {
    const fields = { name, username: `account-${++accounts}`, rootRole: 3 };
    const { id } = (await createServiceAccount(table, systemUser, fields)).value;
    const path = `${admin}/service-account/${id}`;
    return { path, body: { rootRole: 2 }, list: `${admin}/service-account` };
  },
};

async function namesIn(service: Service, list: string): Promise<unknown[]> {
  const things = Object.values((await service.get(list)).body).find(Array.isArray) as { name: string }[];
  return things.map(({ name }) => name);
}

describe.each(Object.entries(older))('A %s with a name that is invalid today', (_, make) => {
  test('stays readable and keeps its name in an update, and accepts no other invalid name', async ({ service }) => {
    await make(service.table, 'Blue team');
    for (const name of [' Blue team ', '   ']) {
      const { path, body, list } = await make(service.table, name);
      const update = async (sent: string) => (await service.put(path, { ...body, name: sent })).status;
      // The status is 204 for a segment.
      expect(await update(name)).toBeLessThan(300);
      expect(await namesIn(service, list)).toContain(name);
      const refused = await service.put(path, { ...body, name: '\t' });
      expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'name' }] } });
      expect(await update(` Red ${name.length} `)).toBeLessThan(300);
      expect(await namesIn(service, list)).toContain(`Red ${name.length}`);
      expect(await namesIn(service, list)).not.toContain(name);
    }
  });
});
