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
import { singleLine } from '../../lib/sign-in/send-mail.ts';
import { createApiToken } from '../../lib/tokens/api-tokens.ts';
import { importToken } from '../../lib/tokens/import-token.ts';
import { forgetClientSecrets } from '../../lib/tokens/readable-secrets.ts';
import { isStrongSecret } from '../../lib/tokens/token-strength.ts';
import { isName } from '../../lib/values/primitives.ts';
import { Problem } from '../problem.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { describeReads, describeRoles, describeToken, ownerOf } from './describe-token.ts';
import { expiryAfter, joinExpiry } from './expiry.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Creates, lists and revokes tokens of the API.

  npm run --silent token -- --user NAME [--role Admin|Editor|Viewer]
                            [--project ID --project-role Owner|Member|Reader|Approver] [--expires 30d]
      Prints a new token for a user. The user is created if new (a Viewer, unless --role says otherwise);
      an existing one gets the given roles and keeps the others.
  npm run --silent token -- --admin --name NAME [--expires 30d]
      Prints a new admin token, which has all permissions; events name NAME as the author.
  npm run --silent token -- --client --name NAME [--environment ENV] [--project ID ...] [--expires 30d]
  npm run --silent token -- --frontend --name NAME [--environment ENV] [--project ID ...] [--expires 30d]
      Prints a new token for SDKs on servers, or for those in pages and apps: of one environment (development), for
      one project, for several (repeat --project) or for all (without it). Frontend tokens are public.
  npm run --silent token -- --client|--frontend --name NAME --in-use [--environment ENV] [--project ID ...] < FILE
      Adds a token that SDKs use already, such as one of an Unleash server, so that they need no other one. Its secret is
      that of SDK_TOKEN, or without it what stdin has; it is not printed. Where the secret does not say what it is for
      ("[]:production.…", or without any prefix), --project ("*" for all) and --environment do; they go before what it says.
  npm run --silent token -- --edge NAME
      Prints the secret of a new edge client: an Edge of Unleash Enterprise that signs its requests with it is given
      client tokens for what it serves. Unleash calls its own edge client enterprise-edge.
  npm run --silent token -- --list
      Lists all tokens and edge clients: id, kind, name, when created, when they expire, and what their owners may do.
  npm run --silent token -- --revoke ID
      Revokes a token. Processes that have used it lately may accept it for five more seconds.
  npm run --silent token -- --revoke-edge NAME
      Revokes an edge client, with all tokens that it was given.
  npm run --silent token -- --forget-secrets
      Removes the secrets of client tokens that the store keeps since READABLE_CLIENT_TOKENS was set. The tokens stay valid.
  -h, --help
      This text.

Only the new token, or the secret of an Edge, goes to stdout; its description goes to stderr.
--expires takes minutes, hours or days (90m, 12h, 30d); without it a token is valid until it is revoked.

${storeHelp}`;

const options = {
  user: { type: 'string' },
  role: { type: 'string' },
  project: { type: 'string', multiple: true },
  'project-role': { type: 'string' },
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

/** The further options that each way to use the command takes. */
const companions = {
  user: ['role', 'project', 'project-role', 'expires'],
  admin: ['name', 'expires'],
  client: ['name', 'environment', 'project', 'expires', 'in-use'],
  frontend: ['name', 'environment', 'project', 'expires', 'in-use'],
  edge: [],
  list: [],
  revoke: [],
  'revoke-edge': [],
  'forget-secrets': [],
} as const satisfies Partial<Record<OptionName, readonly OptionName[]>>;
type Way = keyof typeof companions;

type Values = CommandLine<typeof options>['values'];

async function token({ values }: CommandLine<typeof options>): Promise<void> {
  const work = works[wayIn(values)](values);
  await withStore(work);
}

/** The work of each way to call the command, once all arguments have proved to make sense. */
const works: Record<Way, (values: Values) => (table: Request) => Promise<void>> = {
  user,
  admin,
  client: (values) => sdk('client', values),
  frontend: (values) => sdk('frontend', values),
  edge,
  list,
  revoke,
  'revoke-edge': revokeEdge,
  'forget-secrets': forgetSecrets,
};

function wayIn(values: Values): Way {
  const given = Object.keys(values) as OptionName[];
  const ways = (Object.keys(companions) as Way[]).filter((way) => given.includes(way));
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    const [last, ...others] = Object.keys(companions)
      .map((each) => `--${each}`)
      .toReversed();
    throw new UsageError(`Exactly one of ${others.toReversed().join(', ')} and ${last} is required.`);
  }
  const companionsOf: readonly OptionName[] = companions[way];
  const stranger = given.find((option) => option !== way && !companionsOf.includes(option));
  if (stranger !== undefined) throw new UsageError(`--${stranger} cannot be used with --${way}.`);
  return way;
}

function user(values: Values) {
  const name = values.user ?? '';
  if (!v.is(username, name)) {
    throw new UsageError('--user takes a user name of 1 to 254 characters without spaces at either end.');
  }
  const rootRole = roleIn<RootRole>(values, 'role', rootRoles);
  const role = roleIn<ProjectRole>(values, 'project-role', projectRoles);
  const [project, ...others] = values.project ?? [];
  if ((project === undefined) !== (role === undefined)) {
    throw new UsageError('--project and --project-role must be used together.');
  }
  if (others.length > 0) throw new UsageError('--user takes one --project at a time.');
  const inProject = project === undefined || role === undefined ? undefined : { project, role };
  const expiresAt = expiryIn(values);
  return async (table: Request) => {
    const owner = await ensureUser(table, { username: name, rootRole, inProject });
    tell(await createToken(table, { kind: 'user', user: owner, expiresAt }), ownerOf(owner), expiresAt);
  };
}

function nameIn({ name }: Values, problem: string): string {
  if (!name) throw new UsageError(problem);
  if (!v.is(username, name)) throw new UsageError('--name takes 1 to 254 characters without spaces at either end.');
  return name;
}

function admin(values: Values) {
  const name = nameIn(values, '--admin needs --name, which events show as the author.');
  const expiresAt = expiryIn(values);
  return async (table: Request) => {
    tell(await createToken(table, { kind: 'admin', name, expiresAt }), `admin ${name}`, expiresAt);
  };
}

function sdk(kind: SdkTokenKind, values: Values) {
  const name = nameIn(values, `--${kind} needs --name, by which lists show it.`);
  if (values['in-use']) return inUse(kind, name, values);
  const { environment = 'development', project: projects = [allProjects] } = values;
  const expiresAt = expiryIn(values);
  return async (table: Request) => {
    const { value } = await createApiToken(table, systemUser, { kind, name, environment, projects, expiresAt });
    tell(
      { secret: value.secret, id: tokenIdOf(hashOf(value.secret)) },
      `${kind} ${name} (${describeReads({ projects, environment })})`,
      expiresAt,
    );
  };
}

/** Secrets that can be guessed are refused; frontend tokens are public, so that there is nothing to guess. */
function inUse(kind: SdkTokenKind, name: string, { environment, project: projects, ...values }: Values) {
  const expiresAt = expiryIn(values);
  return async (table: Request) => {
    // An argument would show in the list of processes.
    const secret = (process.env.SDK_TOKEN || (await text(process.stdin))).trim();
    if (secret === '') throw new UsageError('--in-use takes the secret from SDK_TOKEN or from stdin; both are empty.');
    if (kind === 'client' && mayBeSdkSecret(secret) && !isStrongSecret(secret.slice(secret.indexOf('.') + 1))) {
      throw new Problem('The secret of a client token must have at least 128 random bits; make a new token.');
    }
    const wanted = {
      kind,
      name,
      secret,
      expiresAt,
      ...(environment && { environment }),
      ...(projects && { projects }),
    };
    const found = await importToken(table, systemUser, wanted);
    const until = found.expiresAt === undefined ? undefined : new Date(found.expiresAt);
    const owner = `${kind} ${found.name} (${describeReads(scopeOf(found) ?? adminScope)})`;
    console.error(describeToken(tokenIdOf(found.hash), owner, until));
  };
}

/** The secret alone goes where a script reads it. */
function tell({ secret, id }: { secret: string; id: string }, owner: string, expiresAt: Date | undefined): void {
  console.log(secret);
  console.error(describeToken(id, owner, expiresAt));
}

function edge({ edge: id = '' }: Values) {
  if (!isName(id)) throw new UsageError("--edge takes a name of 1 to 100 characters of A-Z, a-z, 0-9 and _.!~*'()-.");
  return async (table: Request) => {
    const { secret } = await createEdgeClient(table, id);
    console.log(secret);
    console.error(`Secret of the edge client ${id}, does not expire.`);
  };
}

function list() {
  return async (table: Request) => {
    const [tokens, owners, edges] = await Promise.all([listTokens(table), users.list(table), listEdgeClients(table)]);
    const clients = edges.map(({ id, createdAt }) => [id, 'edge', id, createdAt, 'never', 'is given client tokens']);
    const rows = tokens.map((each) => {
      const { id, kind, name, createdAt, expiresAt = 'never' } = each;
      return [id, kind, singleLine(name), createdAt, expiresAt, rightsOf(each, owners)];
    });
    console.log(columns([['id', 'kind', 'name', 'created', 'expires', 'may do'], ...rows, ...clients]));
  };
}

function rightsOf(token: TokenView, owners: readonly User[]): string {
  if (token.kind === 'admin') return 'everything';
  const scope = scopeOf(token);
  if (scope !== undefined) return describeReads(scope);
  const owner = owners.find(({ id }) => id === token.userId);
  return owner === undefined ? 'no such user' : describeRoles(owner);
}

function forgetSecrets() {
  return async (table: Request) => {
    const count = await forgetClientSecrets(table);
    console.log(`Removed the secrets of ${count} client tokens.`);
  };
}

function revoke({ revoke: id = '' }: Values) {
  return async (table: Request) => {
    const { kind, name } = await revokeToken(table, id);
    console.log(`Revoked the ${kind} token ${id} of ${name}.`);
  };
}

function revokeEdge({ 'revoke-edge': id = '' }: Values) {
  return async (table: Request) => {
    await deleteEdgeClient(table, id);
    console.log(`Revoked the edge client ${id} with its tokens.`);
  };
}

function expiryIn({ expires }: Values): Date | undefined {
  return expires === undefined ? undefined : expiryAfter(expires);
}

/** A role that an option names, which must be one of the known. */
function roleIn<T extends string>(values: Values, option: 'role' | 'project-role', roles: Readonly<Record<T, number>>) {
  const given = values[option];
  if (given === undefined) return undefined;
  if (Object.hasOwn(roles, given)) return given as T;
  throw new UsageError(`--${option} takes ${Object.keys(roles).join(', ')}, not "${given}".`);
}

/** Rows of text with as much room between them as the widest of each column needs. */
function columns(rows: readonly (readonly string[])[]): string {
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
