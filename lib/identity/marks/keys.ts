import { itemKey, itemsUnder, type Partition, padded } from '../../store/client/definition.ts';

/* The keys of the marks that every request of the admin API looks at: what is private, and what needs approval. */

/** The marks of private projects, and of the environments of any project in which changes need approval. */
export const projectMarks = (): Partition => ({ pk: 'PRIVATE_PROJECTS' });
/** The mark of a private project. */
export const privateProject = (id: string) => itemKey('PRIVATE_PROJECTS', id);
/** The mark of an environment of a project in which changes need approval; the id of no project contains a "#". */
export const protectedEnvironment = (project: string, environment: string) =>
  itemKey('PRIVATE_PROJECTS', `${project}#${environment}`);
export const protectedEnvironments = (project: string) => itemsUnder('PRIVATE_PROJECTS', `${project}#`);
/** The mark of a service in which administrators need approval as everybody does; beside the others, no project. */
export const adminsNeedApproval = () => itemKey('PRIVATE_PROJECTS', '#ADMINS');
/** The mark of the override that a person has in an environment of a project; beside the others, no project. */
export const override = (project: string, environment: string, holder: number) =>
  itemKey('PRIVATE_PROJECTS', `#OVERRIDE#${project}#${environment}#${padded(holder)}`);
/** The marks of overrides in a project, or in one of its environments. */
export const overrides = (project: string, environment?: string) =>
  itemsUnder('PRIVATE_PROJECTS', `#OVERRIDE#${project}#${environment === undefined ? '' : `${environment}#`}`);
/** The events of a transaction under an override, beside the change request of that. */
export const changedUnder = (changeRequest: number, firstEvent: string) =>
  itemKey(`CHANGE_REQUEST#${padded(changeRequest)}`, `CHANGED#${firstEvent}`);
export const allChangedUnder = (changeRequest: number) =>
  itemsUnder(`CHANGE_REQUEST#${padded(changeRequest)}`, 'CHANGED#');
