import { itemKey, itemsUnder, type Partition, padId } from '../store/client/definition.ts';

/* The keys and lists of change requests. */

export const changeRequest = (id: number) => itemKey(`CHANGE_REQUEST#${padId(id)}`, 'CHANGE_REQUEST');

/** A change request in the list of its project. */
export const listedChangeRequest = (project: string, state: 'OPEN' | 'CLOSED', id: number) =>
  itemKey(`PROJECT#${project}#CHANGE_REQUESTS`, `${state}#${padId(id)}`);
/** The pending change request of an author, at most one per environment of a project. */
export const pendingChangeRequest = (project: string, environment: string, author: string) =>
  itemKey(`PROJECT#${project}#CHANGE_REQUESTS`, `PENDING#${environment}#${author}`);
export const changeRequests = (project: string, state: 'OPEN' | 'CLOSED' | 'PENDING') =>
  itemsUnder(`PROJECT#${project}#CHANGE_REQUESTS`, `${state}#`);

/** The slot of an open proposal of an agent, by the id of its token: an agent has a limited number of them. */
export const proposal = (token: number, slot: number) => itemKey('PROPOSALS', `${padId(token)}#${padId(slot)}`);
export const proposals = (token: number) => itemsUnder('PROPOSALS', `${padId(token)}#`);
export const allProposals = (): Partition => ({ pk: 'PROPOSALS' });

/** A mail about a change request that waits to be sent. */
export const mail = (changeRequest: number, version: number, occasion: string) =>
  itemKey('MAILS', `${padId(changeRequest)}#${padId(version)}#${occasion}`);
export const mails = (): Partition => ({ pk: 'MAILS' });
/** The due index entry of a scheduled change request. */
export const schedule = (scheduledAt: string, id: number) => itemKey('SCHEDULES', `${scheduledAt}#${padId(id)}`);
export const schedules = (): Partition => ({ pk: 'SCHEDULES' });
/** The due index entry of a change request that will expire. */
export const expiry = (expiresAt: string, id: number) => itemKey('EXPIRIES', `${expiresAt}#${padId(id)}`);
export const expiries = (): Partition => ({ pk: 'EXPIRIES' });
/** An item whose removal by the store's time to live starts the clock. */
export const alarm = (id: number) => itemKey('ALARMS', padId(id));
