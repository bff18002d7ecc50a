import { buildName } from '../../lib/http/version.ts';
import { setCommit } from '../commit.ts';

interface Program {
  /** The line in the help. */
  readonly summary: string;
  /** Loads its module, which runs with the arguments of this process. */
  load(): Promise<unknown>;
}

/** The programs, by the names of their scripts in package.json. */
const programs: Readonly<Record<string, Program>> = {
  start: {
    summary: 'serves the API and the console until Ctrl-C; with RELAY=true, serves SDKs only',
    load: () => import('../local/start.ts'),
  },
  token: {
    summary: 'creates, lists and revokes tokens',
    load: () => import('../commands/token.ts'),
  },
  password: {
    summary: 'sets a new random password for a user',
    load: () => import('../commands/password.ts'),
  },
  seed: {
    summary: 'adds to a store what a seed file has and the store lacks',
    load: () => import('../commands/seed.ts'),
  },
  migrate: {
    summary: 'moves a running Unleash server into a store',
    load: () => import('../commands/migrate.ts'),
  },
  export: {
    summary: 'writes features to a file, through the API',
    load: () => import('../commands/export.ts'),
  },
  import: {
    summary: 'imports a file of features, through the API',
    load: () => import('../commands/import.ts'),
  },
  backup: {
    summary: 'saves the content of a store to a file, while the service runs',
    load: () => import('../commands/backup.ts'),
  },
  restore: {
    summary: 'fills a store from the file of a backup',
    load: () => import('../commands/restore.ts'),
  },
  verify: {
    summary: 'verifies that no event of the history was altered, removed or added',
    load: () => import('../commands/verify.ts'),
  },
  'unleash-console': {
    summary: "fetches Unleash's admin UI, for CONSOLE=unleash",
    load: () => import('../commands/unleash-console.ts'),
  },
};

const names = Object.keys(programs);
const width = Math.max(...names.map(({ length }) => length));

const help = `A feature-flag service, compatible with Unleash.

  flagstaff COMMAND [options]     ("flagstaff COMMAND --help" describes a command and its settings)

${Object.entries(programs)
  .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  .join('\n')}

  -h, --help  this text
  --version   version and commit

Commands and the server keep their data in the folder .data of the current folder; DATA_DIR names another one.`;

/**
 * Runs the command that the first argument names; the command sees only the arguments after its name. Without a name, it prints the
 * help. An unknown name ends with exit code 2 and a line that lists all commands.
 */
export async function runNamedProgram(): Promise<void> {
  const [name] = process.argv.splice(2, 1);
  if (name !== undefined && Object.hasOwn(programs, name)) {
    await programs[name]?.load();
  } else if (name === '--version') {
    await setCommit();
    console.log(buildName());
  } else if (name === undefined || name === '--help' || name === '-h') {
    console.log(help);
  } else {
    console.error(`There is no command ${JSON.stringify(name)}. The commands are ${names.join(', ')}.`);
    process.exitCode = 2;
  }
}
