import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { environmentCountWrites } from '../../environments/environment-counts.ts';
import { bySortOrder } from '../../environments/environments.ts';
import { invalid, requireValid } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { loadDefaultStrategies, setDefaultStrategy } from '../../features/strategies/default-strategy.ts';
import { strategyInput } from '../../features/strategies/strategy-input-schema.ts';
import { buildApproval } from '../../projects/approval.ts';
import { onDrift, overrideDelayMinutes, selfApproval } from '../../projects/approval-schema.ts';
import { parseFeatureNaming } from '../../projects/feature-naming.ts';
import { loadLedger } from '../../projects/ledger.ts';
import { projectId, projectSettings, projectUpdate } from '../../projects/project-schema.ts';
import {
  buildEnvironmentEvent,
  loadAllProjects,
  newProject,
  type Project,
  type ProjectEnvironment,
  projectEnvironmentOf,
  projects,
} from '../../projects/projects.ts';
import { buildNewProjectWrites, reopenEnvironments } from '../../provisioning/add-environment.ts';
import { archiveProject } from '../../provisioning/archive-project.ts';
import { completeProjectDeletion } from '../../provisioning/delete-project.ts';
import type { Request } from '../../request.ts';
import { isJsonObject, type JsonObject, toList } from '../../values/json.ts';
import { count, object, text } from '../../values/primitives.ts';
import { entityKind } from './entity-kind.ts';
import { buildKind, buildRunStep, Decisions, type ServerMigration } from './plan.ts';
import { ignoreInvalid, readName, time, withoutNulls } from './server-values.ts';
import { environmentNamesOf, type SourceContent } from './source.ts';

/** Returns the projects of a server, each with the answers of all its paths. */
function projectsOf({ projects: all, lists }: SourceContent): JsonObject[] {
  const byName = new Map(lists.environments.map((environment) => [environment.name, environment]));
  return all.map((project) => {
    const { id, listed, overview, approvals } = project;
    const environments = environmentNamesOf(project).flatMap((name) => {
      const approval = approvals.find(({ environment }) => environment === name);
      return byName.has(name) ? [{ ...byName.get(name), approval }] : [];
    });
    return { ...listed, ...overview, id, environments };
  });
}

const projectEnvironment = object({
  ...{ name: text, type: text, sortOrder: v.number() },
  approval: v.optional(
    object({
      requiredApprovals: ignoreInvalid(count),
      onDrift: ignoreInvalid(onDrift),
      selfApproval: ignoreInvalid(selfApproval),
      overrideDelayMinutes: ignoreInvalid(overrideDelayMinutes),
    }),
  ),
});

export const projectKind = entityKind({
  // Each project is in a partition of its own.
  entity: { ...projects, listVersioned: loadAllProjects },
  list: 'projects',
  from: projectsOf,
  kept: 'named',
  schema: object({
    ...v.pick(projectUpdate, ['name', 'description', 'mode', 'defaultStickiness', 'featureLimit']).entries,
    id: projectId,
    featureNaming: ignoreInvalid(projectSettings.entries.featureNaming),
    linkTemplates: projectSettings.entries.linkTemplates,
    environments: v.array(projectEnvironment),
    createdAt: time,
    archivedAt: time,
  }),
  nameOf: readName('id'),
  make: (
    { archivedAt: _archivedAt, createdAt, environments: sentEnvironments, featureNaming, ...entry },
    { at, before },
  ) => {
    const kept = before?.environments ?? [];
    const more = sentEnvironments.filter(({ name }) => !kept.some((environment) => environment.name === name));
    const environments = [...kept, ...more].map(({ name, type, sortOrder }): ProjectEnvironment => {
      const own = kept.find((environment) => environment.name === name)?.approval;
      const given = sentEnvironments.find((environment) => environment.name === name)?.approval;
      // Environments that need approval here continue to need it.
      const approval = given === undefined ? own : buildApproval(given, own);
      return { name, type, sortOrder, ...(approval && { approval }) };
    });
    const after: Project = {
      ...newProject,
      createdAt: createdAt ?? at,
      ...before,
      ...entry,
      featureNaming: typeof featureNaming?.pattern === 'string' ? parseFeatureNaming(featureNaming as never) : null,
      environments: environments.toSorted(bySortOrder),
    };
    return before === undefined || isDeepStrictEqual(after, before) ? after : { ...after, updatedAt: at };
  },
  updated: (before, after) => {
    const added = environmentsAddedTo(before.value, after);
    const { writes, events } = projects.buildUpdateEffects(before, after);
    return {
      writes: [...writes, ...added.flatMap((name) => environmentCountWrites('projectCount', name, 1))],
      events: [...events, ...added.map((name) => buildEnvironmentEvent(after.id, name))],
    };
  },
  buildExtraWrites: async (request, project, before) => {
    if (before === undefined) {
      await completeProjectDeletion(request, systemUser, project.id);
      return buildNewProjectWrites(project, await loadLedger(request, project.id));
    }
    return reopenEnvironments(request, systemUser, project.id, environmentsAddedTo(before, project));
  },
  remarkOf: ({ environments: sentEnvironments }, before) => {
    const more = (before?.environments ?? []).filter(
      ({ name }) => !sentEnvironments.some((environment) => environment.name === name),
    );
    return more.length === 0
      ? undefined
      : `it keeps ${more.map(({ name }) => name).join(', ')}, which it has here only`;
  },
});

function environmentsAddedTo(before: Project, after: Project): string[] {
  return after.environments.flatMap(({ name }) => (projectEnvironmentOf(before, name) === undefined ? name : []));
}

/** The projects to archive, after their flags, since an archived project accepts none. */
export const archivedProjectKind = buildKind('archived projects', async ({ request, source }) => {
  const archived = source.projects.filter(
    ({ listed, overview }) => typeof (overview?.archivedAt ?? listed.archivedAt) === 'string',
  );
  const ids = archived.map(({ id }) => id);
  const stored = await projects.findSome(request, ids);
  const open = archived.filter(({ id }) => stored.get(id)?.archivedAt === null || !stored.has(id));
  return {
    steps: open.map(({ id }) => buildRunStep((stepRequest) => archiveProject(stepRequest, systemUser, id), id)),
    unchanged: archived.filter((project) => !open.includes(project)).map(({ id }) => id),
  };
});

/** Returns the ids that segments of the server have here. @throws ApiError 400 for a segment that is not imported. */
export function segmentIdsOf({ target }: ServerMigration, sourceIds: readonly number[]): number[] {
  return sourceIds.map((sourceId) => {
    const id = target.idOf('segment', sourceId);
    if (id === undefined) throw invalid(`Its segment (id ${sourceId}) is not imported.`);
    return id;
  });
}

export const defaultStrategyKind = buildKind('default strategies', async (migration) => {
  const { request, source, target } = migration;
  const stored = (await loadAllProjects(request)).map((project) => [project.value.id, project] as const);
  const projectsById = target.withPlanned('project', stored);
  const decisions = new Decisions();
  for (const { id: projectId, overview } of source.projects) {
    const list = toList(overview?.environments).filter(isJsonObject);
    const sent = list.filter(({ defaultStrategy }) => isJsonObject(defaultStrategy));
    const before = sent.length === 0 ? undefined : await loadDefaultStrategies(request, projectId);
    for (const { environment: environmentName, defaultStrategy } of sent) {
      const environment = String(environmentName);
      const name = `${projectId} in ${environment}`;
      const project = projectsById.get(projectId)?.value;
      await decisions.decide(name, () => {
        const { segments, ...content } = requireValid(strategyInput, withoutNulls(defaultStrategy));
        if (project === undefined || projectEnvironmentOf(project, environment) === undefined) {
          throw invalid('The project does not have the environment here.');
        }
        const strategy = { ...content, ...(segments && { segments: segmentIdsOf(migration, segments) }) };
        if (isDeepStrictEqual(before?.get(environment)?.strategy, strategy)) decisions.unchanged.push(name);
        else {
          const path = { projectId, environment };
          const run = (stepRequest: Request) => setDefaultStrategy(stepRequest, systemUser, path, strategy);
          decisions.steps.push(buildRunStep(run, name, before?.has(environment) ? 'changed' : 'created'));
        }
      });
    }
  }
  return decisions;
});
