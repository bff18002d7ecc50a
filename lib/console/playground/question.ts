import type { AdvancedPlaygroundRequest } from '../../delivery/playground-schema.ts';

/** A question to the playground, as its form and its address hold it. */
export interface Question {
  readonly environments: readonly string[];
  /** None for all projects. */
  readonly projects: readonly string[];
  /** The fields of the context with a value, or with several, with commas between them. */
  readonly context: Readonly<Record<string, string>>;
  /** The milestones of release plans that are evaluated as if they were active. */
  readonly milestones: readonly TriedMilestone[];
}

/** A milestone of the release plan of a flag in an environment. */
export type TriedMilestone = NonNullable<AdvancedPlaygroundRequest['milestones']>[number];

/** Fields of a context that are no properties. */
export const ownFields: readonly string[] = ['userId', 'sessionId', 'remoteAddress', 'appName', 'currentTime'];

/** Reads a question from the query of an address. */
export function parseQuestion(query: URLSearchParams): Question {
  const context: Record<string, string> = {};
  for (const [name, value] of query) if (name.startsWith('with.')) context[name.slice('with.'.length)] = value;
  const milestones = query.getAll('milestone').flatMap((text): TriedMilestone[] => {
    const [featureName, environment, milestoneId] = text.split('/');
    return featureName && environment && milestoneId ? [{ featureName, environment, milestoneId }] : [];
  });
  return { environments: query.getAll('environment'), projects: query.getAll('project'), context, milestones };
}

/** Writes a question as the query of an address, so that it can be sent to somebody. */
export function writeQuestion({ environments, projects, context, milestones }: Question): string {
  const query = new URLSearchParams();
  for (const environment of environments) query.append('environment', environment);
  for (const project of projects) query.append('project', project);
  for (const [name, value] of Object.entries(context)) if (value !== '') query.append(`with.${name}`, value);
  for (const { featureName, environment, milestoneId } of milestones) {
    query.append('milestone', `${featureName}/${environment}/${milestoneId}`);
  }
  return String(query);
}

/**
 * Builds the request for a question. An application without a name gets one, since the service asks for it. Milestones in environments
 * that are not asked about are left out.
 */
export function buildPlaygroundRequest({
  environments,
  projects,
  context,
  milestones,
}: Question): AdvancedPlaygroundRequest {
  const filled = Object.entries(context).filter(([, value]) => value.trim() !== '');
  const own = Object.fromEntries(filled.filter(([name]) => ownFields.includes(name)));
  const properties = Object.fromEntries(filled.filter(([name]) => !ownFields.includes(name)));
  const tried = milestones.filter(({ environment }) => environments.includes(environment));
  return {
    environments: [...environments],
    projects: projects.length === 0 ? '*' : [...projects],
    context: { appName: 'playground', ...own, properties },
    ...(tried.length > 0 && { milestones: tried }),
  };
}

/** Counts the contexts of a question: the combinations of its values. */
export function countContexts({ context }: Question): number {
  return Object.values(context)
    .filter((value) => value.trim() !== '')
    .reduce((count, value) => count * value.split(',').length, 1);
}
