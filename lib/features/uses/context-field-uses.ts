import type { ContextField } from '../../context-fields/context-field-schema.ts';
import { type ContextFieldPath, contextFields, loadOwnContextField } from '../../context-fields/context-fields.ts';
import { change } from '../../entity/change.ts';
import type { Referrer } from '../../entity/references.ts';
import { inUseError } from '../../entity/references.ts';
import type { Actor } from '../../events/actor.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { segments } from '../../segments/segments.ts';
import type { EnvironmentSummary } from '../items/environment-summary.ts';
import type { PlacedStrategy } from '../strategies/strategy-schema.ts';
import { countUses, findFeaturesUsing, readStrategies, toPlacedStrategy, type Usage } from './uses.ts';

/** Adds to context fields the number of live features that compare them. */
export async function addUsage(
  request: Request,
  loading: Promise<readonly ContextField[]>,
): Promise<(ContextField & Usage)[]> {
  const [fields, usageOf] = await Promise.all([loading, countUses(request, ({ contextFields }) => contextFields)]);
  return fields.map((field) => ({ ...field, ...usageOf(field.name) }));
}

/** Lists the strategies of live features that compare a context field, known or not, by project and feature. */
export async function listStrategiesComparing(request: Request, name: string): Promise<PlacedStrategy[]> {
  const uses = await findFeaturesUsing(request, isComparing(name));
  const strategies = await Array.fromAsync(readStrategies(request, uses));
  return strategies
    .filter(({ strategy }) => strategy.constraints.some(({ contextName }) => contextName === name))
    .map(toPlacedStrategy);
}

/**
 * Removes a context field that no strategy of a live feature or release template and no segment compares. For the field of a
 * project, only uses in this project count. A constraint that is added at the same moment stays: constraints can name unknown fields.
 * @throws ApiError 404 for an unknown field, or for a field outside of the given project; 409 with the users of the
 * field; 412 if `If-Match` does not match.
 */
export function removeContextField(request: Request, actor: Actor, path: ContextFieldPath): Promise<void> {
  const { contextField: name } = path;
  return change(request, actor, {
    items: [contextFields.keyOf(name)],
    read: () => Promise.all([loadOwnContextField(request, path), loadUsers(withAllProjects(request), name)]),
    revisionOf: ([before]) => before,
    decide: ([before, allUsers]) => {
      const { project } = before.value;
      const users = allUsers.filter(({ details }) => project === undefined || details.project === project);
      if (users.length > 0) throw inUseError(request, `The context field "${name}" is in use`, users);
      return { ...contextFields.buildRemovalEffects(before), result: undefined };
    },
  });
}

/** A feature, release template or segment that uses a context field, with its project. */
type User = Referrer & { readonly details: { readonly project?: string | null | undefined } };

async function loadUsers(request: Request, name: string): Promise<User[]> {
  const [features, allSegments, referrers] = await Promise.all([
    findFeaturesUsing(request, isComparing(name)),
    segments.list(request),
    contextFields.listReferrers(request, name),
  ]);
  const usingSegments = allSegments.filter(({ constraints }) =>
    constraints.some(({ contextName }) => contextName === name),
  );
  return [
    ...features.flatMap(({ project, feature, environments }) =>
      environments.map((environment) => ({
        by: `${feature}#${environment}`,
        name: `the feature "${feature}" in "${environment}"`,
        details: { project },
      })),
    ),
    ...usingSegments.map(({ id, project }) => ({ by: String(id), name: `the segment "${id}"`, details: { project } })),
    // Release templates, which are in a room above.
    ...referrers.map((referrer) => ({ ...referrer, details: referrer.details as User['details'] })),
  ];
}

function isComparing(name: string) {
  return ({ contextFields = [] }: EnvironmentSummary) => contextFields.includes(name);
}
