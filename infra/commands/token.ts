import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { createEdgeClient, deleteEdgeClient, listEdgeClients } from '../../lib/delivery/edge/edge-clients.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { type ProjectRole, projectRoles, type RootRole, rootRoles } from '../../lib/identity/permissions.ts';
import { allProjects, hashOf, mayBeSdkSecret, type SdkTokenKind } from '../../lib/identity/tokens/token.ts';
import {
  adminScope,
  createToken,
  listTokens,
  revokeToken,
  scopeOf,
  type TokenView,
  tokenIdOf,
} from '../../lib/identity/tokens/tokens.ts';
import { type User, users } from '../../lib/identity/users.ts';
import { ensureUser } from '../../lib/people/ensure-user.ts';
import { username } from '../../lib/people/user-fields.ts';
import type { Request } from '../../lib/request.ts';
import { createApiToken } from '../../lib/tokens/api-tokens.ts';
import { importToken } from '../../lib/tokens/import-token.ts';
import { forgetClientSecrets } from '../../lib/tokens/readable-secrets.ts';
import { isStrongSecret } from '../../lib/tokens/token-strength.ts';
import { isName } from '../../lib/values/primitives.ts';
import { shortenToLine } from '../../lib/values/shorten-to-line.ts';
import { Problem } from '../problem.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { describeOwner, describeReads, describeRoles, describeToken } from './describe-token.ts';
import { expiryAfter, joinExpiry } from './expiry.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Creates, lists and revokes tokens of the API.

  npm run --silent token -- --user NAME [--role Admin|Editor|Viewer] [--expires 30d]
      [--project ID --project-role Owner|Member|Reader|Approver]
      Prints a new token of a user. Creates the user if there is none, with the role Viewer unless --role names another;
      an existing user gets the given roles in addition to their own.
  npm run --silent token -- --user NAME --scope propose [--name NAME] [--role …] [--project …] [--expires 30d]
      Prints a new token for an agent, such as a coding assistant. It reads what the user may read, and makes change requests that
      people approve and apply. It can do nothing else, even if the user may. --name names the agent in requests and events.
  npm run --silent token -- --admin --name NAME [--expires 30d]
      Prints a new admin token, which has all permissions. Events show NAME as the author.
  npm run --silent token -- --client --name NAME [--environment ENV] [--project ID ...] [--expires 30d]
  npm run --silent token -- --frontend --name NAME [--environment ENV] [--project ID ...] [--expires 30d]
      Prints a new token for SDKs: a client token for servers, or a frontend token for browsers and apps, which is public.
      It is valid in one environment (default: development), and for one project, several (repeat --project), or all (without --project).
  npm run --silent token -- --client|--frontend --name NAME --in-use [--environment ENV] [--project ID ...] < FILE
      Adds a token that SDKs already use, such as one of an Unleash server, so that they keep working. The secret comes from
      the environment variable SDK_TOKEN, or from stdin, and is not printed. Its prefix ("[]:production.…") names its projects
      and environment. --project ("*" for all) and --environment override them, or supply them if the secret has no prefix.
  npm run --silent token -- --edge NAME
      Prints the secret of a new edge client. An Edge of Unleash Enterprise signs its requests with it, and gets client
      tokens for the projects that it serves. Unleash calls its own edge client enterprise-edge.
  npm run --silent token -- --list
      Lists all tokens and edge clients: id, kind, name, when they were created and expire, and what they allow.
  npm run --silent token -- --revoke ID
      Revokes a token. Processes that used it recently may accept it for up to five seconds more.
  npm run --silent token -- --revoke-edge NAME
      Revokes an edge client, and all tokens that it got.
  npm run --silent token -- --forget-secrets
      Deletes the secrets of client tokens that the store has kept since READABLE_CLIENT_TOKENS was set. The tokens stay valid.
  -h, --help
      This text.

Only the new token, or the secret of an edge client, goes to stdout. Its description goes to stderr.
--expires is a number of minutes, hours or days (90m, 12h, 30d). Without it, a token is valid until it is revoked.

${storeHelp}`;

const options = {
  user: { type: 'string' },
  role: { type: 'string' },
  project: { type: 'string', multiple: true },
  'project-role': { type: 'string' },
  scope: { type: 'string' },
  expires: { type: 'string' },
  admin: { type: 'boolean' },
  client: { type: 'boolean' },
  frontend: { type: 'boolean' },
  name: { type: 'string' },
  environment: { type: 'string' },
  'in-use': { type: 'boolean' },
  edge: { type: 'string' },
  list: { type: 'boolean' },
  revoke: { type: 'string' },
  'revoke-edge': { type: 'string' },
  'forget-secrets': { type: 'boolean' },
} as const;
type OptionName = keyof typeof options;

/** The further options of each mode of the command. */
const companions = {
  user: ['role', 'project', 'project-role', 'expires', 'scope', 'name'],
  admin: ['name', 'expires'],
  client: ['name', 'environment', 'project', 'expires', 'in-use'],
  frontend: ['name', 'environment', 'project', 'expires', 'in-use'],
  edge: [],
  list: [],
  revoke: [],
  'revoke-edge': [],
  'forget-secrets': [],
} as const satisfies Partial<Record<OptionName, readonly OptionName[]>>;
type Mode = keyof typeof companions;

type Values = CommandLine<typeof options>['values'];

async function token({ values }: CommandLine<typeof options>): Promise<void> {
  const work = actions[modeIn(values)](values);
  await withStore(work);
}

/** The action of each mode, after its arguments have been checked. */
const actions: Record<Mode, (values: Values) => (table: Request) => Promise<void>> = {
  user: createUserToken,
  admin: createAdminToken,
  client: (values) => createSdkToken('client', values),
  frontend: (values) => createSdkToken('frontend', values),
  edge: createEdge,
  list: listAll,
  revoke: revokeOne,
  'revoke-edge': revokeEdge,
  'forget-secrets': forgetSecrets,
};

function modeIn(values: Values): Mode {
  const names = Object.keys(values) as OptionName[];
  const modes = (Object.keys(companions) as Mode[]).filter((mode) => names.includes(mode));
  const [mode] = modes;
  if (mode === undefined || modes.length > 1) {
    const [last, ...others] = Object.keys(companions)
      .map((name) => `--${name}`)
      .toReversed();
    throw new UsageError(`Exactly one of ${others.toReversed().join(', ')} and ${last} is required.`);
  }
  const allowed: readonly OptionName[] = companions[mode];
  const stranger = names.find((option) => option !== mode && !allowed.includes(option));
  if (stranger !== undefined) throw new UsageError(`--${stranger} cannot be used with --${mode}.`);
  return mode;
}

function createUserToken(values: Values) {
  const name = values.user ?? '';
  if (!v.is(username, name)) {
    throw new UsageError('--user must be a user name of 1 to 254 characters without spaces at either end.');
  }
  const rootRole = roleIn<RootRole>(values, 'role', rootRoles);
  const role = roleIn<ProjectRole>(values, 'project-role', projectRoles);
  const [project, ...others] = values.project ?? [];
  if ((project === undefined) !== (role === undefined)) {
    throw new UsageError('--project and --project-role must be used together.');
  }
  if (others.length > 0) throw new UsageError('--user takes only one --project.');
  const inProject = project === undefined || role === undefined ? undefined : { project, role };
  const expiresAt = expiryIn(values);
  const { scope, name: description } = values;
  if (scope !== undefined && scope !== 'propose') throw new UsageError('--scope must be "propose".');
  if (description !== undefined && scope === undefined) throw new UsageError('--name needs --scope propose.');
  return async (table: Request) => {
    const user = await ensureUser(table, { username: name, rootRole, inProject });
    const agent = description === undefined ? 'an agent' : `the agent ${shortenToLine(description)}`;
    const owner = scope === undefined ? describeOwner(user) : `${agent} of ${describeOwner(user)}`;
    const kind = scope === undefined ? 'user' : 'agent';
    const input = { kind, user, expiresAt, ...(description !== undefined && { description }) } as const;
    printToken(await createToken(table, input), owner, expiresAt);
  };
}

function nameIn({ name }: Values, problem: string): string {
  if (!name) throw new UsageError(problem);
  if (!v.is(username, name)) throw new UsageError('--name must have 1 to 254 characters without spaces at either end.');
  return name;
}

function createAdminToken(values: Values) {
  const name = nameIn(values, '--admin needs --name, the author that events show.');
  const expiresAt = expiryIn(values);
  return async (table: Request) => {
    printToken(await createToken(table, { kind: 'admin', name, expiresAt }), `admin ${name}`, expiresAt);
  };
}

function createSdkToken(kind: SdkTokenKind, values: Values) {
  const name = nameIn(values, `--${kind} needs --name, which lists show.`);
  if (values['in-use']) return addTokenInUse(kind, name, values);
  const { environment = 'development', project: projects = [allProjects] } = values;
  const expiresAt = expiryIn(values);
  return async (table: Request) => {
    const { value } = await createApiToken(table, systemUser, { kind, name, environment, projects, expiresAt });
    printToken(
      { secret: value.secret, id: tokenIdOf(hashOf(value.secret)) },
      `${kind} ${name} (${describeReads({ projects, environment })})`,
      expiresAt,
    );
  };
}

/** Refuses a client token whose secret can be guessed. Frontend tokens are public anyway. */
function addTokenInUse(kind: SdkTokenKind, name: string, { environment, project: projects, ...values }: Values) {
  const expiresAt = expiryIn(values);
  return async (table: Request) => {
    // The secret is no argument, since lists of processes show arguments.
    const secret = (process.env.SDK_TOKEN || (await text(process.stdin))).trim();
    if (secret === '') throw new UsageError('--in-use takes the secret from SDK_TOKEN or from stdin; both are empty.');
    if (kind === 'client' && mayBeSdkSecret(secret) && !isStrongSecret(secret.slice(secret.indexOf('.') + 1))) {
      throw new Problem('The secret of a client token must have at least 128 random bits. Create a new token instead.');
    }
    const wanted = {
      kind,
      name,
      secret,
      expiresAt,
      ...(environment && { environment }),
      ...(projects && { projects }),
    };
    const imported = await importToken(table, systemUser, wanted);
    const until = imported.expiresAt === undefined ? undefined : new Date(imported.expiresAt);
    const owner = `${kind} ${imported.name} (${describeReads(scopeOf(imported) ?? adminScope)})`;
    console.error(describeToken(tokenIdOf(imported.hash), owner, until));
  };
}

/** Prints the secret alone to stdout, where a script can read it. */
function printToken({ secret, id }: { secret: string; id: string }, owner: string, expiresAt: Date | undefined): void {
  console.log(secret);
  console.error(describeToken(id, owner, expiresAt));
}

function createEdge({ edge: id = '' }: Values) {
  if (!isName(id)) throw new UsageError("--edge must be a name of 1 to 100 characters of A-Z, a-z, 0-9 and _.!~*'()-.");
  return async (table: Request) => {
    const { secret } = await createEdgeClient(table, id);
    console.log(secret);
    console.error(`Secret of the edge client ${id}, does not expire.`);
  };
}

function listAll() {
  return async (table: Request) => {
    const [tokens, owners, edges] = await Promise.all([listTokens(table), users.list(table), listEdgeClients(table)]);
    const clients = edges.map(({ id, createdAt }) => [id, 'edge', id, createdAt, 'never', 'gets client tokens']);
    const rows = tokens.map((token) => {
      const { id, kind, name, createdAt, expiresAt = 'never' } = token;
      return [id, kind, shortenToLine(name), createdAt, expiresAt, rightsOf(token, owners)];
    });
    console.log(formatTable([['id', 'kind', 'name', 'created', 'expires', 'may do'], ...rows, ...clients]));
  };
}

function rightsOf(token: TokenView, owners: readonly User[]): string {
  if (token.kind === 'admin') return 'everything';
  const scope = scopeOf(token);
  if (scope !== undefined) return describeReads(scope);
  const owner = owners.find(({ id }) => id === token.userId);
  if (owner === undefined) return 'no such user';
  return token.kind === 'agent' ? `proposes changes for ${describeRoles(owner)}` : describeRoles(owner);
}

function forgetSecrets() {
  return async (table: Request) => {
    const count = await forgetClientSecrets(table);
    console.log(`Removed the secrets of ${count} client tokens.`);
  };
}

function revokeOne({ revoke: id = '' }: Values) {
  return async (table: Request) => {
    const { kind, name } = await revokeToken(table, id);
    console.log(`Revoked the ${kind} token ${id} of ${name}.`);
  };
}

function revokeEdge({ 'revoke-edge': id = '' }: Values) {
  return async (table: Request) => {
    await deleteEdgeClient(table, id);
    console.log(`Revoked the edge client ${id} and its tokens.`);
  };
}

function expiryIn({ expires }: Values): Date | undefined {
  return expires === undefined ? undefined : expiryAfter(expires);
}

/** Returns the role that an option names. @throws UsageError for an unknown role. */
function roleIn<T extends string>(values: Values, option: 'role' | 'project-role', roles: Readonly<Record<T, number>>) {
  const role = values[option];
  if (role === undefined) return undefined;
  if (Object.hasOwn(roles, role)) return role as T;
  throw new UsageError(`--${option} must be one of ${Object.keys(roles).join(', ')}, not "${role}".`);
}

/** Formats rows as a table with aligned columns. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

await runCommand({ name: 'token', help, options, run: token }, joinExpiry(process.argv.slice(2)));
