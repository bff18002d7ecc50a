import { itemKey, itemsUnder, type Partition, padId } from '../../store/client/definition.ts';

/* The keys of the access flags, which every request of the admin API reads: what is private, and what needs approval. */

/** All access flags. */
export const accessFlags = (): Partition => ({ pk: 'PRIVATE_PROJECTS' });
/** A private project. */
export const privateProject = (id: string) => itemKey('PRIVATE_PROJECTS', id);
/** An environment of a project in which changes need approval; no project id contains a "#". */
export const protection = (project: string, environment: string) =>
  itemKey('PRIVATE_PROJECTS', `${project}#${environment}`);
export const protections = (project: string) => itemsUnder('PRIVATE_PROJECTS', `${project}#`);
/** Set if Admins need approval, too. It is no project. */
export const adminsNeedApproval = () => itemKey('PRIVATE_PROJECTS', '#ADMINS');
/** The override grant of a person in an environment of a project. It is no project. */
export const override = (project: string, environment: string, holder: number) =>
  itemKey('PRIVATE_PROJECTS', `#OVERRIDE#${project}#${environment}#${padId(holder)}`);
/** The override grants in a project, or in one of its environments. */
export const overrides = (project: string, environment?: string) =>
  itemsUnder('PRIVATE_PROJECTS', `#OVERRIDE#${project}#${environment === undefined ? '' : `${environment}#`}`);
/** The events of a transaction under an override, stored with the change request of the override. */
export const overrideChange = (changeRequest: number, firstEvent: string) =>
  itemKey(`CHANGE_REQUEST#${padId(changeRequest)}`, `CHANGED#${firstEvent}`);
export const overrideChanges = (changeRequest: number) =>
  itemsUnder(`CHANGE_REQUEST#${padId(changeRequest)}`, 'CHANGED#');
