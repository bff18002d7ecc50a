/** A server whose flags a benchmark changes. */
export interface FlagServer {
  readonly url: string;
  /** The token of an admin. */
  readonly token: string;
}

/** Sends a request of an admin. @throws Error if it is refused. */
async function askAsAdmin({ url, token }: FlagServer, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Returns the name of the flag with an index. */
export const crowdFlag = (index: number) => `flag-${String(index).padStart(5, '0')}`;

/** Adds flags with a gradual rollout to the project "default", and turns them on in development. */
export async function addFlags(server: FlagServer, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => crowdFlag(index));
  const environment = 'development';
  await askAsAdmin(server, 'POST', '/api/admin/features-batch/import', {
    environment,
    project: 'default',
    data: {
      features: names.map((name) => ({ name, type: 'release' })),
      featureEnvironments: names.map((featureName) => ({ name: environment, featureName, environment, enabled: true })),
      featureStrategies: names.map((featureName) => ({
        featureName,
        name: 'flexibleRollout',
        parameters: { rollout: '50', stickiness: 'default', groupId: featureName },
        constraints: [{ contextName: 'plan', operator: 'IN', values: ['paid', 'trial', 'partner'] }],
      })),
      ...{ contextFields: [], featureTags: [], segments: [], tagTypes: [] },
    },
  });
}

/** Turns a flag on or off in development. */
export async function turnFlag(server: FlagServer, name: string, to: 'on' | 'off'): Promise<void> {
  await askAsAdmin(server, 'POST', `/api/admin/projects/default/features/${name}/environments/development/${to}`);
}

/** Creates a client token of all projects in development. */
export async function addClientToken(server: FlagServer, tokenName: string): Promise<string> {
  const body = { tokenName, type: 'client', environment: 'development', projects: ['*'] };
  const { secret } = (await askAsAdmin(server, 'POST', '/api/admin/api-tokens', body)) as { readonly secret: string };
  return secret;
}

/** Gives a flag a plan for half of the users and then for all of them; returns functions that start a milestone, by its rollout. */
export async function addPlanOfTwo(
  server: FlagServer,
  name: string,
): Promise<ReadonlyMap<string, () => Promise<void>>> {
  const rollouts = ['50', '100'];
  const content = {
    name: 'Half and all',
    milestones: rollouts.map((rollout) => ({
      name: `${rollout} %`,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout, groupId: '{{featureName}}' } }],
    })),
  };
  const { id: templateId } = (await askAsAdmin(server, 'POST', '/api/admin/release-plan-templates', content)) as WithId;
  const path = `/api/admin/projects/default/features/${name}/environments/development/release-plans`;
  const plan = (await askAsAdmin(server, 'POST', path, { templateId })) as WithId & { milestones: WithId[] };
  const startOf = ({ id }: WithId) => `${path}/${plan.id}/milestones/${id}/start`;
  return new Map(
    plan.milestones.map((milestone, index) => [
      rollouts[index] ?? '',
      async () => void (await askAsAdmin(server, 'POST', startOf(milestone))),
    ]),
  );
}

interface WithId {
  readonly id: string;
}
