import * as v from 'valibot';
import { removeStrategyType } from '../../lib/features/uses/uses.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { strategyType, strategyTypeInput, strategyTypeUpdate } from '../../lib/strategy-types/strategy-type-schema.ts';
import {
  createStrategyType,
  listStrategyTypes,
  setStrategyTypeDeprecated,
  strategyTypes,
  strategyTypeView,
  updateStrategyType,
} from '../../lib/strategy-types/strategy-types.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Strategies');

export const createStrategy = endpoint({
  route: 'POST /api/admin/strategies',
  summary: 'Creates a custom strategy type, which applications have to implement.',
  description:
    'Strategies of the type can have values for its parameters. SDKs evaluate it with code of the application. Without that code, a strategy of the type is off. The reply is 409 if the name is in use.',
  permission: 'CREATE_STRATEGY',
  body: strategyTypeInput,
  responses: { 201: strategyType },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, body }) => createStrategyType(request, caller, body),
  (type) => ({ body: strategyTypeView(type), headers: { location: `/api/admin/strategies/${type.name}` } }),
);

export const deprecateStrategy = endpoint({
  route: 'POST /api/admin/strategies/{name}/deprecate',
  summary: 'Marks a strategy type as deprecated. Strategies that use it keep working.',
  description: 'Admin UIs no longer offer it. `POST …/reactivate` reverses this.',
  permission: 'UPDATE_STRATEGY',
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => setStrategyTypeDeprecated(request, caller, params.name, true),
  () => ({}),
);

export const getAllStrategies = endpoint({
  route: 'GET /api/admin/strategies',
  summary: 'Lists all strategy types: first the built-in ones, then custom ones by name.',
  description:
    'Each has its parameters, and says whether it is `deprecated`. A strategy of a feature names its type in `name`.',
  responses: { 200: object({ version: v.literal(1), strategies: v.array(strategyType) }) },
}).handle(async ({ request }) => ({
  version: 1,
  strategies: (await listStrategyTypes(request)).map(strategyTypeView),
}));

export const getStrategy = endpoint({
  route: 'GET /api/admin/strategies/{name}',
  summary: 'Returns a strategy type.',
  description:
    'It includes the names, types and descriptions of the parameters. Applications implement custom types themselves.',
  responses: { 200: strategyType },
  etag: true,
}).handle(
  ({ request, params }) => strategyTypes.load(request, params.name),
  (type) => ({ body: strategyTypeView(type) }),
);

export const reactivateStrategy = endpoint({
  route: 'POST /api/admin/strategies/{name}/reactivate',
  summary: 'Reverses the deprecation of a strategy type.',
  description: 'Admin UIs offer it again.',
  permission: 'UPDATE_STRATEGY',
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params }) => setStrategyTypeDeprecated(request, caller, params.name, false),
  () => ({}),
);

export const removeStrategy = endpoint({
  route: 'DELETE /api/admin/strategies/{name}',
  summary: 'Deletes a custom strategy type, unless a strategy of a live feature uses it.',
  description: 'If it is used, the reply is 409 and names the features. The reply is 403 for a built-in type.',
  permission: 'DELETE_STRATEGY',
  responses: { 200: null },
  etag: 'checked',
  errors: [404, 409],
}).handle(({ request, caller, params }) => removeStrategyType(request, caller, params.name));

export const updateStrategy = endpoint({
  route: 'PUT /api/admin/strategies/{name}',
  summary: 'Updates a custom strategy type: its title, description and parameters.',
  description: 'Existing strategies of the type keep their parameters. The reply is 403 for a built-in type.',
  permission: 'UPDATE_STRATEGY',
  body: strategyTypeUpdate,
  responses: { 200: null },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateStrategyType(request, caller, params.name, body),
  () => ({}),
);
