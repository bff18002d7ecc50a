import * as v from 'valibot';
import type { Table } from '../../lib/table/table.ts';
import { ensureUser } from '../../lib/users/ensure-user.ts';
import { type ProjectRole, projectRoles, type RootRole, rootRoles } from '../../lib/users/permissions.ts';
import { createToken, listTokens, revokeToken } from '../../lib/users/tokens.ts';
import { username } from '../../lib/users/user-fields.ts';
import { users } from '../../lib/users/users.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { describeToken, ownerOf, rolesOf } from './describe-token.ts';
import { expiryAfter, joinedExpiry } from './expiry.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Makes, lists and revokes the tokens that the API is called with.

  npm run --silent token -- --user NAME [--role Admin|Editor|Viewer]
                            [--project ID --project-role Owner|Member] [--expires 30d]
      Prints a new token for a user. The user is created if new (a Viewer, unless --role says otherwise);
      an existing one receives the roles that are named and keeps the others.
  npm run --silent token -- --admin --name NAME [--expires 30d]
      Prints a new admin token, which may do everything; events name NAME as the author.
  npm run --silent token -- --list
      Lists all tokens: id, kind, name, when created, when they expire, and what their owners may do.
  npm run --silent token -- --revoke ID
      Revokes a token. Processes that have used it lately may accept it for five more seconds.
  -h, --help
      This text.

A new token is all that is printed on stdout; what it is follows on stderr.
--expires takes minutes, hours or days (90m, 12h, 30d); without it a token is good until it is revoked.

${storeHelp}`;

const options = {
  user: { type: 'string' },
  role: { type: 'string' },
  project: { type: 'string' },
  'project-role': { type: 'string' },
  expires: { type: 'string' },
  admin: { type: 'boolean' },
  name: { type: 'string' },
  list: { type: 'boolean' },
  revoke: { type: 'string' },
} as const;
type OptionName = keyof typeof options;

/** The further options that each way to use the command takes. */
const companions = {
  user: ['role', 'project', 'project-role', 'expires'],
  admin: ['name', 'expires'],
  list: [],
  revoke: [],
} as const satisfies Partial<Record<OptionName, readonly OptionName[]>>;
type Way = keyof typeof companions;

type Values = CommandLine<typeof options>['values'];

async function token({ values }: CommandLine<typeof options>): Promise<void> {
  const work = works[wayIn(values)](values);
  await withStore(work);
}

/** What is to be done, once all that was said has proved to make sense. */
const works: Record<Way, (values: Values) => (table: Table) => Promise<void>> = { user, admin, list, revoke };

function wayIn(values: Values): Way {
  const given = Object.keys(values) as OptionName[];
  const ways = (Object.keys(companions) as Way[]).filter((way) => given.includes(way));
  const [way] = ways;
  if (way === undefined || ways.length > 1) {
    throw new UsageError('Exactly one of --user, --admin, --list and --revoke is required.');
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
  const { project } = values;
  if ((project === undefined) !== (role === undefined)) {
    throw new UsageError('--project and --project-role must be used together.');
  }
  const inProject = project === undefined || role === undefined ? undefined : { project, role };
  const expiresAt = expiryIn(values);
  return async (table: Table) => {
    const owner = await ensureUser(table, { username: name, rootRole, inProject });
    tell(await createToken(table, { kind: 'user', user: owner, expiresAt }), ownerOf(owner), expiresAt);
  };
}

function admin(values: Values) {
  const { name } = values;
  if (!name) throw new UsageError('--admin needs --name, which events show as the author.');
  if (!v.is(username, name)) throw new UsageError('--name takes 1 to 254 characters without spaces at either end.');
  const expiresAt = expiryIn(values);
  return async (table: Table) => {
    tell(await createToken(table, { kind: 'admin', name, expiresAt }), `admin ${name}`, expiresAt);
  };
}

/** The secret alone goes where a script reads it. */
function tell({ secret, id }: { secret: string; id: string }, owner: string, expiresAt: Date | undefined): void {
  console.log(secret);
  console.error(describeToken(id, owner, expiresAt));
}

function list() {
  return async (table: Table) => {
    const [tokens, owners] = await Promise.all([listTokens(table), users.list(table)]);
    const rows = tokens.map((each) => {
      const owner = owners.find(({ id }) => id === each.userId);
      const rights = each.kind === 'admin' ? 'everything' : owner === undefined ? 'no such user' : rolesOf(owner);
      return [each.id, each.kind, each.name, each.createdAt, each.expiresAt ?? 'never', rights];
    });
    console.log(columns([['id', 'kind', 'name', 'created', 'expires', 'may do'], ...rows]));
  };
}

function revoke({ revoke: id = '' }: Values) {
  return async (table: Table) => {
    const { kind, name } = await revokeToken(table, id);
    console.log(`Revoked the ${kind} token ${id} of ${name}.`);
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

await runCommand({ name: 'token', help, options, run: token }, joinedExpiry(process.argv.slice(2)));
