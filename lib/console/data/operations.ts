import type { ContextField } from '../../context-fields/context-field-schema.ts';
import type { EventSearchResult } from '../../events/event-search-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { ConsoleFlags } from '../../screens/flags-schema.ts';
import type { ConsoleNow } from '../../screens/now-schema.ts';
import type { ConsoleRequestPage, ConsoleReviews } from '../../screens/request-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { type ApiAddress, fillPath, type PathValues, type Query } from './address.ts';
import { type ApiAnswer, type Method, sendRequest } from './client.ts';

interface Operation {
  readonly method: Method;
  readonly path: string;
}

/** Operations of the API that the console calls, by their operationId. A test compares them with the registry. */
export const calledOperations: Record<string, Operation> = {};

/** Declares a read: given the values of its path and a query, it returns the address. */
function read<T>() {
  return <P extends string>(operationId: string, path: P) => {
    calledOperations[operationId] = { method: 'GET', path };
    return (values: PathValues<P>, query?: Query): ApiAddress<T> => fillPath(path, values, query) as ApiAddress<T>;
  };
}

interface Sending<B> {
  readonly body?: B;
  /** The version that the change is made of; the service refuses it if there is another one. */
  readonly ifMatch?: string | undefined;
  /** Repeats with the same key are carried out once. */
  readonly key?: string;
}

/** Declares a change: given the values of its path and a body, it sends the request. */
function change<T = unknown, B = undefined>() {
  return <P extends string>(operationId: string, method: Exclude<Method, 'GET'>, path: P) => {
    calledOperations[operationId] = { method, path };
    return (
      values: PathValues<P>,
      { body, ifMatch, key = crypto.randomUUID() }: Sending<B> = {},
    ): Promise<ApiAnswer<T>> =>
      sendRequest<T>(method, fillPath(path, values), {
        body,
        headers: {
          'idempotency-key': key,
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
      });
  };
}

export const getConsoleStart = read<ConsoleStart>()('getConsoleStart', '/api/admin/console/start');
export const getConsoleFlag = read<ConsoleFlag>()(
  'getConsoleFlag',
  '/api/admin/console/projects/{projectId}/flags/{featureName}',
);
export const getConsoleFlags = read<ConsoleFlags>()('getConsoleFlags', '/api/admin/console/flags');
export const getConsoleNow = read<ConsoleNow>()('getConsoleNow', '/api/admin/console/now');

const inEnvironment = '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}';
export const toggleFeatureEnvironmentOn = change()('toggleFeatureEnvironmentOn', 'POST', `${inEnvironment}/on`);
export const toggleFeatureEnvironmentOff = change()('toggleFeatureEnvironmentOff', 'POST', `${inEnvironment}/off`);

export const searchEvents = read<{ readonly events: readonly EventSearchResult[]; readonly total: number }>()(
  'searchEvents',
  '/api/admin/search/events',
);
export const getEventCreators = read<readonly { readonly id: number; readonly name: string }[]>()(
  'getEventCreators',
  '/api/admin/event-creators',
);

export const getConsoleReviews = read<ConsoleReviews>()('getConsoleReviews', '/api/admin/console/reviews');
export const getConsoleRequest = read<ConsoleRequestPage>()(
  'getConsoleRequest',
  '/api/admin/console/requests/{projectId}/{id}',
);

const request = '/api/admin/projects/{projectId}/change-requests/{id}';
export const updateChangeRequestState = change<unknown, { readonly state: string; readonly comment?: string }>()(
  'updateChangeRequestState',
  'PUT',
  `${request}/state`,
);
export const addChangeRequestComment = change<unknown, { readonly text: string }>()(
  'addChangeRequestComment',
  'POST',
  `${request}/comments`,
);

const favorite = '/api/admin/projects/{projectId}/features/{featureName}/favorites';
export const addFavoriteFeature = change()('addFavoriteFeature', 'POST', favorite);
export const removeFavoriteFeature = change()('removeFavoriteFeature', 'DELETE', favorite);

export interface StrategyBody {
  readonly name: string;
  readonly title: string | null;
  readonly parameters: Readonly<Record<string, string>>;
}
export const addFeatureStrategy = change<unknown, StrategyBody>()(
  'addFeatureStrategy',
  'POST',
  `${inEnvironment}/strategies`,
);
export const updateFeatureStrategy = change<unknown, StrategyBody>()(
  'updateFeatureStrategy',
  'PUT',
  `${inEnvironment}/strategies/{strategyId}`,
);
export const getContextFields = read<readonly ContextField[]>()('getContextFields', '/api/admin/context');
export const getSegments = read<{ readonly segments: readonly ShownSegment[] }>()('getSegments', '/api/admin/segments');

const requestsIn = '/api/admin/projects/{projectId}/environments/{environment}/change-requests';

/** A change of a flag that somebody asks for. */
export interface AskedChange {
  readonly feature: string;
  readonly action: 'updateEnabled' | 'addStrategy' | 'updateStrategy';
  readonly payload: object;
}
export const addChangeRequestChanges = change<
  readonly { readonly id: number }[] | { readonly id: number },
  AskedChange
>()('addChangeRequestChanges', 'POST', requestsIn);
export const startChangeRequestOverride = change<unknown, { readonly reason: string; readonly minutes: number }>()(
  'startChangeRequestOverride',
  'POST',
  `${requestsIn}/override`,
);
export const endChangeRequestOverride = change()('endChangeRequestOverride', 'DELETE', `${requestsIn}/override/{id}`);
