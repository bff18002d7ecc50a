import { allInOrder } from '../entity/all-in-order.ts';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { mustExist } from '../entity/references.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import * as projectKeys from '../projects/keys.ts';
import { requireProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import type {
  ContextField,
  ContextFieldInput,
  ContextFieldUpdate,
  ImportedContextField,
  LegalValueInput,
} from './context-field-schema.ts';

/** Context field as looked up in all of the service, or among those visible to a project. */
export interface ContextFieldPlace {
  readonly contextField: string;
  readonly projectId?: string | undefined;
}

export const contextFields = entity<ContextField, string>({
  kind: 'context field',
  idOf: ({ name }) => name,
  partition: { pk: 'CONTEXT_FIELDS' },
  codec: codec<ContextField>({ legalValues: true }),
  events: { created: 'context-field-created', updated: 'context-field-updated', deleted: 'context-field-deleted' },
  shown: ({ createdAt: _createdAt, ...shown }) => shown,
  projectOf: ({ project }) => project,
});

/** Unleash's default position of a field. */
const sortOrderDefault = 10;

export function newContextField(input: ImportedContextField | ContextFieldInput, createdAt: string): ContextField {
  const { name, description = null, stickiness = false, sortOrder = sortOrderDefault, legalValues = [] } = input;
  return {
    name,
    description,
    stickiness,
    sortOrder,
    createdAt,
    legalValues: legalValues.map(legalValueOf),
  };
}

/**
 * Creates a context field; names are the same for all projects, since constraints name fields without their project.
 * @param projectId the project that it is made for.
 * @throws ApiError 404 for an unknown project; 409 for a name in use; 400 for more than the store holds.
 */
export async function createContextField(request: Request, actor: Actor, input: ContextFieldInput, projectId?: string) {
  return contextFields.create(
    request,
    actor,
    (createdAt) => ({ ...newContextField(input, createdAt), ...(projectId !== undefined && { project: projectId }) }),
    projectIsThere(projectId),
    () => requireProject(request, projectId),
  );
}

function projectIsThere(id: string | null | undefined): Write[] {
  return id === undefined || id === null ? [] : [mustExist('project', id, projectKeys.project(id))];
}

/**
 * Reads a context field. In a project those of the project are seen, and those of the whole service.
 * @throws ApiError 404 for an unknown one, and for that of another project.
 */
export async function loadContextField(request: Request, place: ContextFieldPlace): Promise<Versioned<ContextField>> {
  const found = await contextFields.load(request, place.contextField);
  if (found.value.project !== undefined) requireIn(found.value, place);
  return found;
}

/** Lists the context fields of the whole service, those of a project, or both. */
export async function listContextFields(request: Request, isListed: (project: string | undefined) => boolean) {
  return (await contextFields.list(request)).filter(({ project }) => isListed(project));
}

/**
 * Changes the properties that the update names, and empties legal values and stickiness that it leaves out, as Unleash
 * does: Terraform leaves out what is empty. Strategies keep values that are no longer legal.
 * @throws ApiError 404 for an unknown one, for an unknown project that it is given to, and in a project for one that is
 * not its own; 400 for more than the store holds.
 */
export async function updateContextField(
  request: Request,
  actor: Actor,
  place: ContextFieldPlace,
  {
    legalValues = [],
    stickiness = false,
    project,
    ...update
  }: ContextFieldUpdate & { readonly project?: string | null },
): Promise<Versioned<ContextField>> {
  const revise = ({ project: old, ...before }: ContextField): ContextField => {
    const next = project === undefined ? old : project;
    return {
      ...before,
      ...update,
      stickiness,
      legalValues: legalValues.map(legalValueOf),
      ...(typeof next === 'string' && { project: next }),
    };
  };
  return revised(request, actor, place, revise, project);
}

/**
 * Adds a legal value at the end, or replaces the description of the one that is there.
 * @throws as `updateContextField` does.
 */
export function setLegalValue(request: Request, actor: Actor, place: ContextFieldPlace, input: LegalValueInput) {
  const legalValue = legalValueOf(input);
  return revised(request, actor, place, (before) => {
    const isThere = before.legalValues.some(({ value }) => value === legalValue.value);
    const legalValues = isThere
      ? before.legalValues.map((each) => (each.value === legalValue.value ? legalValue : each))
      : [...before.legalValues, legalValue];
    return { ...before, legalValues };
  });
}

/**
 * Takes a legal value away, if it is there.
 * @throws as `updateContextField` does.
 */
export function removeLegalValue(
  request: Request,
  actor: Actor,
  { legalValue, ...place }: ContextFieldPlace & { readonly legalValue: string },
): Promise<Versioned<ContextField>> {
  return revised(request, actor, place, (before) => ({
    ...before,
    legalValues: before.legalValues.filter(({ value }) => value !== legalValue),
  }));
}

/**
 * Reads a context field for a change. A project administers its own context fields, and no others.
 * @throws ApiError 404 for an unknown one, and in a project that is unknown or that it is not made for.
 */
export async function loadIn(request: Request, place: ContextFieldPlace): Promise<Versioned<ContextField>> {
  const { contextField, projectId } = place;
  const [, found] = await allInOrder([requireProject(request, projectId), contextFields.load(request, contextField)]);
  requireIn(found.value, place);
  return found;
}

function requireIn(field: ContextField, { projectId }: ContextFieldPlace): void {
  if (projectId !== undefined && field.project !== projectId) {
    throw notFound(`context field of the project "${projectId.slice(0, 100)}" named`, field.name);
  }
}

function revised(
  request: Request,
  actor: Actor,
  place: ContextFieldPlace,
  revise: (before: ContextField) => ContextField,
  project?: string | null,
): Promise<Versioned<ContextField>> {
  return contextFields.update(request, actor, place.contextField, revise, projectIsThere(project), async () => {
    const [found] = await allInOrder([loadIn(request, place), requireProject(request, project)]);
    return found;
  });
}

function legalValueOf({ value, description }: LegalValueInput): ContextField['legalValues'][number] {
  return { value, ...(typeof description === 'string' && { description }) };
}
