import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { buildProjectCheck, requireProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type {
  ContextField,
  ContextFieldInput,
  ContextFieldUpdate,
  ImportedContextField,
  LegalValueInput,
} from './context-field-schema.ts';

/** A context field by name. With a project, it must belong to this project or to the whole service. */
export interface ContextFieldPath {
  readonly contextField: string;
  readonly projectId?: string | undefined;
}

export const contextFields = entity<ContextField, string>({
  kind: 'context field',
  idOf: ({ name }) => name,
  partition: { pk: 'CONTEXT_FIELDS' },
  codec: codec<ContextField>({ legalValues: true }),
  events: { created: 'context-field-created', updated: 'context-field-updated', deleted: 'context-field-deleted' },
  eventData: ({ createdAt: _createdAt, ...shown }) => shown,
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
 * Creates a context field. Its name is unique among all projects, since constraints do not name the project of a field.
 * @throws ApiError 404 for an unknown project; 409 for a name in use; 400 for more than the store holds.
 */
export async function createContextField(request: Request, actor: Actor, input: ContextFieldInput, projectId?: string) {
  return contextFields.create(
    request,
    actor,
    (createdAt) => ({ ...newContextField(input, createdAt), ...(projectId !== undefined && { project: projectId }) }),
    buildProjectCheck(projectId),
    () => requireProject(request, projectId),
  );
}

/**
 * Loads a context field.
 * @throws ApiError 404 for an unknown field, and in a project for a field of another project.
 */
export async function loadContextField(request: Request, path: ContextFieldPath): Promise<Versioned<ContextField>> {
  const field = await contextFields.load(request, path.contextField);
  if (field.value.project !== undefined) requireOwner(field.value, path);
  return field;
}

/** Lists the context fields whose project is accepted; it is undefined for fields of the whole service. */
export async function listContextFields(request: Request, isListed: (project: string | undefined) => boolean) {
  return (await contextFields.list(request)).filter(({ project }) => isListed(project));
}

/**
 * Changes the given properties. As on Unleash, it resets omitted legal values and stickiness, since Terraform omits empty ones.
 * Strategies keep values that are no longer legal.
 * @throws ApiError 404 for an unknown field, an unknown new project, and in a project for a field that is not its own; 400 for more
 * than the store holds.
 */
export async function updateContextField(
  request: Request,
  actor: Actor,
  path: ContextFieldPath,
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
  return reviseContextField(request, actor, path, revise, project);
}

/**
 * Adds a legal value at the end, or changes the description of an existing one.
 * @throws as `updateContextField` does.
 */
export function setLegalValue(request: Request, actor: Actor, path: ContextFieldPath, input: LegalValueInput) {
  const legalValue = legalValueOf(input);
  return reviseContextField(request, actor, path, (before) => {
    const exists = before.legalValues.some(({ value }) => value === legalValue.value);
    const legalValues = exists
      ? before.legalValues.map((existing) => (existing.value === legalValue.value ? legalValue : existing))
      : [...before.legalValues, legalValue];
    return { ...before, legalValues };
  });
}

/**
 * Removes a legal value, if it exists.
 * @throws as `updateContextField` does.
 */
export function removeLegalValue(
  request: Request,
  actor: Actor,
  { legalValue, ...path }: ContextFieldPath & { readonly legalValue: string },
): Promise<Versioned<ContextField>> {
  return reviseContextField(request, actor, path, (before) => ({
    ...before,
    legalValues: before.legalValues.filter(({ value }) => value !== legalValue),
  }));
}

/**
 * Loads a context field for a change: in a project, one of its own.
 * @throws ApiError 404 for an unknown project or field, and in a project for a field that is not its own.
 */
export async function loadOwnContextField(request: Request, path: ContextFieldPath): Promise<Versioned<ContextField>> {
  const { contextField, projectId } = path;
  const [, field] = await awaitInOrder([requireProject(request, projectId), contextFields.load(request, contextField)]);
  requireOwner(field.value, path);
  return field;
}

function requireOwner(field: ContextField, { projectId }: ContextFieldPath): void {
  if (projectId !== undefined && field.project !== projectId) {
    throw notFound(`context field of the project "${projectId.slice(0, 100)}" named`, field.name);
  }
}

function reviseContextField(
  request: Request,
  actor: Actor,
  path: ContextFieldPath,
  revise: (before: ContextField) => ContextField,
  project?: string | null,
): Promise<Versioned<ContextField>> {
  return contextFields.update(request, actor, path.contextField, revise, buildProjectCheck(project), async () => {
    const [field] = await awaitInOrder([loadOwnContextField(request, path), requireProject(request, project)]);
    return field;
  });
}

function legalValueOf({ value, description }: LegalValueInput): ContextField['legalValues'][number] {
  return { value, ...(typeof description === 'string' && { description }) };
}
