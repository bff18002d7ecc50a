import type { ContextField } from '../../context-fields/context-field-schema.ts';
import { type ContextFieldPlace, contextFields, loadOwnContextField } from '../../context-fields/context-fields.ts';
import { change } from '../../entity/change.ts';
import type { Referrer } from '../../entity/references.ts';
import { inUseError } from '../../entity/references.ts';
import type { Actor } from '../../events/actor.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { segments } from '../../segments/segments.ts';
import type { EnvironmentSummary } from '../items/feature-items.ts';
import type { PlacedStrategy } from '../strategies/strategy-schema.ts';
import { featuresUsing, strategiesOf, toStrategyView, type Usage, usageOf } from './uses.ts';

/** Context fields with how many live features compare them. */
export async function withUsage(
  request: Request,
  loading: Promise<readonly ContextField[]>,
): Promise<(ContextField & Usage)[]> {
  const [fields, usage] = await Promise.all([loading, usageOf(request, ({ contextFields }) => contextFields)]);
  return fields.map((field) => ({ ...field, ...usage(field.name) }));
}

/** Returns the strategies of live features that compare a context field, known or not, by project and feature. */
export async function strategiesComparing(request: Request, name: string): Promise<PlacedStrategy[]> {
  const all = await Array.fromAsync(strategiesOf(request, await featuresUsing(request, compares(name))));
  return all
    .filter(({ strategy }) => strategy.constraints.some(({ contextName }) => contextName === name))
    .map(toStrategyView);
}

/**
 * Removes a context field that no strategy of a live feature and no segment compares; that of a project is compared within
 * the project only, since nobody else need see it. One that begins to at the same moment
 * keeps its constraint, as it may: constraints may name fields that are not known.
 * @throws ApiError 404 for an unknown one, and in a project for one that is not its own; 409 that names who uses it; 412 by
 * `If-Match`.
 */
export function removeContextField(request: Request, actor: Actor, place: ContextFieldPlace): Promise<void> {
  const { contextField: name } = place;
  return change(request, actor, {
    of: [contextFields.keyOf(name)],
    read: () => Promise.all([loadOwnContextField(request, place), usersOf(withAllProjects(request), name)]),
    revisionOf: ([before]) => before,
    decide: ([before, all]) => {
      const { project } = before.value;
      const users = all.filter(({ details }) => project === undefined || details.project === project);
      if (users.length > 0) throw inUseError(request, `The context field "${name}" is in use`, users);
      return { ...contextFields.removed(before), result: undefined };
    },
  });
}

/** User of a context field, with its project. */
type User = Referrer & { readonly details: { readonly project?: string | null | undefined } };

async function usersOf(request: Request, name: string): Promise<User[]> {
  const [features, all] = await Promise.all([featuresUsing(request, compares(name)), segments.list(request)]);
  const ofSegments = all.filter(({ constraints }) => constraints.some(({ contextName }) => contextName === name));
  return [
    ...features.flatMap(({ project, feature, environments }) =>
      environments.map((environment) => ({
        by: `${feature}#${environment}`,
        name: `the feature "${feature}" in "${environment}"`,
        details: { project },
      })),
    ),
    ...ofSegments.map(({ id, project }) => ({ by: String(id), name: `the segment "${id}"`, details: { project } })),
  ];
}

function compares(name: string) {
  return ({ contextFields = [] }: EnvironmentSummary) => contextFields.includes(name);
}
