import * as v from 'valibot';
import {
  contextField,
  contextFieldInput,
  contextFieldInputAnywhere,
  contextFieldName,
  contextFieldUpdate,
  contextFieldUpdateAnywhere,
  legalValueInput,
  listedContextField,
} from '../../lib/context-fields/context-field-schema.ts';
import * as lib from '../../lib/context-fields/context-fields.ts';
import { placedStrategy } from '../../lib/features/strategies/strategy-schema.ts';
import * as uses from '../../lib/features/uses/context-field-uses.ts';
import { awaitInOrder } from '../../lib/helpers/run-all.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { loadProject } from '../../lib/projects/projects.ts';
import { object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Context');

export const createContextField = endpoint({
  route: 'POST /api/admin/context',
  summary: 'Creates a context field for constraints and stickiness, for all projects or for one.',
  description:
    'Constraints may also name fields that were not created; a field adds legal values, a description and stickiness. A name in use is a 409, in whatever project.',
  permission: 'CREATE_CONTEXT_FIELD',
  body: contextFieldInputAnywhere,
  responses: { 201: contextField },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, body }) => lib.createContextField(request, caller, body, body.project ?? undefined),
  ({ name }) => ({ headers: { location: `/api/admin/context/${name}` } }),
);

export const createContextFieldForProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context',
  summary: 'Creates a context field of a project. Names are unique across projects.',
  description:
    'Constraints may also name fields that were not created; a field adds legal values, a description and stickiness. A name in use is a 409.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: contextFieldInput,
  responses: { 201: contextField },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => lib.createContextField(request, caller, body, params.projectId),
  ({ name }, { params }) => ({ headers: { location: `/api/admin/projects/${params.projectId}/context/${name}` } }),
);

export const deleteContextField = endpoint({
  route: 'DELETE /api/admin/context/{contextField}',
  summary: 'Deletes a context field that no segment and no strategy of a live feature uses.',
  description: 'Otherwise it is a 409 that names what uses the field.',
  permission: 'DELETE_CONTEXT_FIELD',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => uses.removeContextField(request, caller, params));

export const deleteContextFieldForProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}',
  summary: 'Deletes a context field of a project that no segment and no strategy of a live feature uses.',
  description: 'Otherwise it is a 409 that names what uses the field. A field of the whole service is a 404 here.',
  permission: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  responses: { 200: null },
  etag: 'checked',
  errors: [409],
}).handle(({ request, caller, params }) => uses.removeContextField(request, caller, params));

export const deleteContextFieldLegalValue = endpoint({
  route: 'DELETE /api/admin/context/{contextField}/legal-values/{legalValue}',
  summary: 'Removes a legal value from a context field. Strategies that use it keep it.',
  description: 'A value that is not there is no error. Special characters of the value are escaped in the path.',
  permission: 'UPDATE_CONTEXT_FIELD',
  freeText: ['legalValue'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.removeLegalValue(request, caller, params),
  () => ({}),
);

export const deleteContextFieldLegalValueForProject = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}/legal-values/{legalValue}',
  summary: 'Removes a legal value from a context field of a project. Strategies that use it keep it.',
  description: 'A value that is not there is no error. A field of the whole service is a 404 here.',
  permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  freeText: ['legalValue'],
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.removeLegalValue(request, caller, params),
  () => ({}),
);

export const getContextField = endpoint({
  route: 'GET /api/admin/context/{contextField}',
  summary: 'Returns a context field.',
  description:
    'It has the legal values, if any: constraints then take no others. `stickiness` says whether a rollout can be tied to the field.',
  responses: { 200: contextField },
  etag: true,
}).handle(({ request, params }) => lib.loadContextField(request, params));

export const getContextFieldForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}',
  summary: 'Returns a context field of a project, or of the whole service.',
  description: 'It has the legal values, if any: constraints then take no others.',
  responses: { 200: contextField },
  etag: true,
}).handle(async ({ request, params }) => {
  const [, field] = await awaitInOrder([loadProject(request, params.projectId), lib.loadContextField(request, params)]);
  return field;
});

export const getContextFields = endpoint({
  route: 'GET /api/admin/context',
  summary: 'Lists the context fields of the whole service; with include=project those of projects, too.',
  description: 'Each has the numbers of features and projects that use it.',
  query: object({ include: v.exactOptional(text) }),
  responses: { 200: v.array(listedContextField) },
}).handle(({ request, query }) => {
  const isWhole = query.include?.toLowerCase() === 'project';
  return uses.addUsage(
    request,
    lib.listContextFields(request, (project) => isWhole || project === undefined),
  );
});

export const getContextFieldsForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context',
  summary: 'Lists the context fields of a project; with include=root those of the whole service, too.',
  description: 'Each has the numbers of features and projects that use it.',
  query: object({ include: v.exactOptional(text) }),
  responses: { 200: v.array(listedContextField) },
}).handle(async ({ request, params: { projectId }, query }) => {
  const isRoot = query.include?.toLowerCase() === 'root';
  const listed = lib.listContextFields(
    request,
    (project) => project === projectId || (isRoot && project === undefined),
  );
  const [fields] = await Promise.all([uses.addUsage(request, listed), loadProject(request, projectId)]);
  return fields;
});

export const getStrategiesByContextField = endpoint({
  route: 'GET /api/admin/context/{contextField}/strategies',
  summary: 'Lists the strategies of live features that use a context field.',
  description: 'A strategy uses a field if one of its own constraints compares it. An unknown field has none.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
  errors: [],
}).handle(async ({ request, params }) => ({
  strategies: await uses.listStrategiesComparing(request, params.contextField),
}));

export const getStrategiesByContextFieldForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}/strategies',
  summary: 'Lists the strategies of live features, in any project, that use a context field.',
  description: 'A strategy uses a field if one of its own constraints compares it. An unknown field has none.',
  responses: { 200: object({ strategies: v.array(placedStrategy) }) },
}).handle(async ({ request, params: { projectId, contextField } }) => {
  const [, strategies] = await awaitInOrder([
    loadProject(request, projectId),
    uses.listStrategiesComparing(request, contextField),
  ]);
  return { strategies };
});

export const updateContextField = endpoint({
  route: 'PUT /api/admin/context/{contextField}',
  summary:
    'Updates a context field: its description, legal values, stickiness, sort order and project. Omitted legal values and stickiness are emptied.',
  description: 'Strategies keep values that are no longer legal. The name cannot be changed.',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: contextFieldUpdateAnywhere,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.updateContextField(request, caller, params, body),
  () => ({}),
);

export const updateContextFieldForProject = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/context/{contextField}',
  summary: 'Updates a context field of a project. Omitted legal values and stickiness are emptied.',
  description: 'Strategies keep values that are no longer legal. A field of the whole service is a 404 here.',
  permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: contextFieldUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.updateContextField(request, caller, params, body),
  () => ({}),
);

export const updateContextFieldLegalValue = endpoint({
  route: 'POST /api/admin/context/{contextField}/legal-values',
  summary: 'Adds a legal value to a context field, or replaces its description.',
  description: 'A new value is added at the end of the list. Once there are legal values, constraints take no others.',
  permission: 'UPDATE_CONTEXT_FIELD',
  body: legalValueInput,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.setLegalValue(request, caller, params, body),
  () => ({}),
);

export const updateContextFieldLegalValueForProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context/{contextField}/legal-values',
  summary: 'Adds a legal value to a context field of a project, or replaces its description.',
  description: 'A new value is added at the end of the list. A field of the whole service is a 404 here.',
  permission: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  body: legalValueInput,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.setLegalValue(request, caller, params, body),
  () => ({}),
);

export const validateContextFieldName = endpoint({
  route: 'POST /api/admin/context/validate',
  summary: 'Checks whether a context field can be created with a name.',
  description: 'A 409 means that the name is in use, a 400 that it breaks a rule. Nothing is created.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD'],
  rights: 'read',
  body: contextFieldName,
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => lib.contextFields.requireFreeName(request, body.name));

export const validateContextFieldNameForProject = endpoint({
  route: 'POST /api/admin/projects/{projectId}/context/validate',
  summary: 'Checks whether a context field of a project can be created with a name.',
  description:
    'A 409 means that the name is in use, in whatever project, a 400 that it breaks a rule. Nothing is created.',
  permission: ['CREATE_CONTEXT_FIELD', 'UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  rights: 'read',
  body: contextFieldName,
  responses: { 200: null },
  errors: [409],
}).handle(async ({ request, params, body }) => {
  await awaitInOrder([loadProject(request, params.projectId), lib.contextFields.requireFreeName(request, body.name)]);
});
