import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import * as keys from '../store/keys.ts';
import { roleReferences, rolesByProject } from './roles/roles.ts';
import { signatureOf, type User } from './users.ts';

/**
 * A program that administers flags with tokens of its own. It signs in with nothing else, and is in no list of users.
 */
export interface ServiceAccount extends User {
  readonly accountType: 'Service Account';
}

export const serviceAccounts = entity<ServiceAccount, number>({
  kind: 'service account',
  idOf: ({ id }) => id,
  partition: { pk: 'ACCESS', prefix: 'SERVICE#' },
  codec: codec<ServiceAccount>({ projectRoles: true, groups: true }),
  // No user has the name of a service account, so that an author in the log is one of them.
  unique: { username: keys.username },
  counter: 'user',
  refersTo: (account) => roleReferences(account, 'service account', { id: account.id, name: signatureOf(account) }),
  events: {
    created: 'service-account-created',
    updated: 'service-account-updated',
    deleted: 'service-account-deleted',
  },
  shown: ({ id, username, name, rootRole, projectRoles }) => ({
    id,
    username,
    name,
    rootRole,
    projectRoles: rolesByProject(projectRoles),
  }),
});
