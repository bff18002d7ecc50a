import { importOf, importPath } from '../../harness/import-file.ts';
import type { ClientRequest } from './history.ts';

interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
}

type InEnvironment = Extract<ClientRequest, { readonly feature: string; readonly environment: string }>;

/** Returns a request as it goes over the wire. */
export function toHttp(request: ClientRequest): HttpRequest {
  switch (request.kind) {
    case 'update':
      return { method: 'PUT', target: featurePath(request), body: request.change };
    case 'create':
      return post(`/api/admin/projects/${request.project}/features`, { name: request.feature, ...request.fields });
    case 'archive':
      return { method: 'DELETE', target: featurePath(request) };
    case 'revive':
      return { method: 'POST', target: `/api/admin/archive/revive/${request.feature}` };
    case 'delete':
      return { method: 'DELETE', target: `/api/admin/archive/${request.feature}` };
    case 'move':
      return post(`${featurePath(request)}/changeProject`, { newProjectId: request.newProject });
    case 'clone': {
      const { name, replaceGroupId } = request;
      return post(`${featurePath(request)}/clone`, { name, replaceGroupId });
    }
    case 'variants': {
      const target = `${environmentPath(request)}/variants`;
      return { method: 'PUT', target, body: request.variants };
    }
    case 'add strategy':
      return post(strategiesPath(request), request.strategy);
    case 'update strategy':
      return { method: 'PUT', target: `${strategiesPath(request)}/${request.strategyId}`, body: request.change };
    case 'patch strategy': {
      const body = Object.entries(request.change).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
      return { method: 'PATCH', target: `${strategiesPath(request)}/${request.strategyId}`, body };
    }
    case 'delete strategy':
      return { method: 'DELETE', target: `${strategiesPath(request)}/${request.strategyId}` };
    case 'order strategies':
      return post(`${strategiesPath(request)}/set-sort-order`, request.order);
    case 'add tag':
      return post(`/api/admin/features/${request.feature}/tags`, request.tag);
    case 'bulk off': {
      const { project, environment, features } = request;
      return post(`/api/admin/projects/${project}/bulk_features/environments/${environment}/off`, { features });
    }
    case 'import': {
      const { project, environment, features } = request;
      return post(
        importPath,
        importOf(
          features.map(({ fields, ...state }) => ({ ...fields, ...state })),
          { project, environment },
        ),
      );
    }
    case 'on':
    case 'off':
      return post(`${environmentPath(request)}/${request.kind}`, undefined);
    case 'add plan':
      return post(`${environmentPath(request)}/release-plans`, { templateId: request.templateId });
    case 'start milestone': {
      const { planId, milestoneId } = request;
      return post(`${environmentPath(request)}/release-plans/${planId}/milestones/${milestoneId}/start`, undefined);
    }
    case 'pause plan':
      return post(`${environmentPath(request)}/progressions/${request.planId}/pause`, undefined);
    case 'resume plan':
      return post(`${environmentPath(request)}/progressions/${request.planId}/resume`, undefined);
    case 'remove plan':
      return { method: 'DELETE', target: `${environmentPath(request)}/release-plans/${request.planId}` };
    case 'time milestone': {
      const { milestoneId, targetId: targetMilestone, minutes: intervalMinutes } = request;
      const body = { targetMilestone, transitionCondition: { intervalMinutes } };
      return { method: 'PUT', target: `${environmentPath(request)}/progressions/${milestoneId}`, body };
    }
    case 'untime milestone':
      return { method: 'DELETE', target: `${environmentPath(request)}/progressions/${request.milestoneId}` };
    case 'default strategy': {
      const { project, environment, strategy } = request;
      return post(`/api/admin/projects/${project}/environments/${environment}/default-strategy`, strategy);
    }
    case 'add environment': {
      const { project, environment, strategy } = request;
      return post(`/api/admin/projects/${project}/environments`, { environment, defaultStrategy: strategy });
    }
    case 'read variants':
      return get(`${environmentPath(request)}/variants`);
    case 'read events':
      return get(`/api/admin/events/${request.feature}${request.limit === undefined ? '' : `?limit=${request.limit}`}`);
    case 'read archive':
      return get(`/api/admin/archive/features/${request.project}`);
    case 'read environments':
      return get('/api/admin/environments');
    case 'clock':
      throw new Error('The clock is not run over HTTP.');
  }
}

function get(target: string): HttpRequest {
  return { method: 'GET', target };
}

function post(target: string, body: unknown): HttpRequest {
  return { method: 'POST', target, body };
}

function featurePath({ project, feature }: { readonly project: string; readonly feature: string }): string {
  return `/api/admin/projects/${project}/features/${feature}`;
}

function environmentPath(request: InEnvironment): string {
  return `${featurePath(request)}/environments/${request.environment}`;
}

function strategiesPath(request: InEnvironment): string {
  return `${environmentPath(request)}/strategies`;
}
