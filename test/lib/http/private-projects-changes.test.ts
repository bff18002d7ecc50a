import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { isMutation } from '../../../lib/http/declaration.ts';
import { permissions } from '../../../lib/identity/permission-table.ts';
import { isProjectPermission, projectRoles, rootRoles } from '../../../lib/identity/permissions.ts';
import {
  exampleBody,
  feature,
  type Operation,
  operations,
  type Planted,
  plant,
  project,
  secret,
  secretsFor,
} from './hidden-project.ts';

let planted: Planted;
beforeEach(async () => {
  planted = await plant();
});
afterAll(() => void vi.useRealTimers());

/** Order of the methods: the last would leave little to the others. */
const order = ['POST', 'PUT', 'PATCH', 'DELETE'];
const changes = operations.filter(isMutation).toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));

/** The bodies of an operation: its example, about things that the caller sees, and about hidden ones. */
function bodiesOf({ operationId }: Operation): (string | undefined)[] {
  const example = exampleBody(operationId);
  if (example === undefined) return [undefined];
  const about = (names: { readonly [example: string]: string }) =>
    example.replaceAll(/"(\w+(-\w+)*-\d+)"/g, (_whole, name) => JSON.stringify(names[name] ?? name));
  const { shared, segment } = planted;
  const known = { 'tag-1': 'both-tag', 'tag-type-1': 'simple' };
  const shown = { ...known, 'project-1': 'default', 'project-2': 'default', 'feature-1': 'open' };
  const hidden = { ...known, 'project-1': project, 'project-2': project, 'feature-1': feature };
  return [
    about(shown),
    about({ ...hidden, 'segment-1': secret, 'field-1': 'hush-field' })
      .replaceAll(/"project(Id)?":"default"/g, (place) => place.replace('default', project))
      .replaceAll('"projects":["default"]', `"projects":["${project}"]`)
      .replaceAll(/"segment(Id)?s":\[\d+\]/g, (list) => list.replace(/\d+/, `${segment},${shared}`)),
  ];
}

/** Makes a role with every right of the whole service that one who does not belong to the project can have. */
function roleOfStrangers(): Promise<number> {
  const held = permissions.filter((name) => name !== 'ADMIN' && !isProjectPermission(name));
  return planted.world.role({ type: 'root-custom', permissions: held.map((name) => ({ name })) });
}

/** Collects the secrets in the replies to changes, by operation. Each has a caller of its own, since some end rights. */
async function findSecrets(
  asked: readonly Operation[],
  tokenOf: () => Promise<string>,
): Promise<Map<string, Set<string>>> {
  const found: [string, Set<string>][] = [];
  for (const change of asked) found.push(...(await secretsFor(planted, await tokenOf(), [change], bodiesOf)));
  return new Map(found);
}

test('No change reveals a private project to a caller who may change everything else', async () => {
  const root = await roleOfStrangers();
  const inProjects = [{ project: 'default', roles: [projectRoles.Owner] }];
  const tokenOf = () => planted.world.tokenOfRole(root, inProjects);
  expect(await findSecrets(changes, tokenOf)).toEqual(new Map());
});

test('An Admin sees the private data in replies to the same changes', async () => {
  const telling = ['deleteContextField', 'deleteTagType'];
  const asked = changes.filter(({ operationId }) => telling.includes(operationId));
  const found = await findSecrets(asked, () => planted.world.tokenOfRole(rootRoles.Admin));
  expect([...found.keys()].toSorted()).toEqual(telling);
});
