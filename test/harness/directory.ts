import type { Reply, Service } from './service.ts';
import type { World } from './world.ts';

/** The schema of a PATCH. */
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A directory that calls the service with its token, in the content type of SCIM. */
export function connectDirectory(service: Service, world: World, base = '/scim') {
  async function send(method: string, path: string, body?: object): Promise<Reply> {
    const { authorization } = await world.directory();
    const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/scim+json' }) };
    return service.call(method, `${base}${path}`, { headers, ...(body !== undefined && { body }) });
  }
  return {
    send,
    get: (path: string) => send('GET', path),
    /** Finds resources by a filter. */
    find: (path: string, filter: string, more = '') =>
      send('GET', `${path}?filter=${encodeURIComponent(filter)}${more}`),
    post: (path: string, body: object) => send('POST', path, body),
    put: (path: string, body: object) => send('PUT', path, body),
    patch: (path: string, ...Operations: readonly object[]) =>
      send('PATCH', path, { schemas: [patchSchema], Operations }),
    remove: (path: string) => send('DELETE', path),
    /** Creates a user with a name, and returns the id. */
    async user(userName: string, more: object = {}): Promise<string> {
      const { status, body, text } = await send('POST', '/Users', { userName, ...more });
      if (status !== 201) throw new Error(text);
      return body.id;
    },
    /** Creates a group of users, and returns its id. */
    async group(displayName: string, members: readonly string[] = []): Promise<string> {
      const { status, body, text } = await send('POST', '/Groups', {
        displayName,
        members: members.map((value) => ({ value })),
      });
      if (status !== 201) throw new Error(text);
      return body.id;
    },
  };
}

/** Returns the number in the id of a resource, which is the id of the user or group here. */
export function numberIn(scimId: string): number {
  return Number(scimId.split('-')[1]);
}
