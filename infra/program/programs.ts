import { buildName } from '../../lib/http/version.ts';
import { setCommit } from '../commit.ts';

interface Program {
  /** The line about it in the help. */
  readonly line: string;
  /** Loads its module, which runs with the arguments of this process. */
  load(): Promise<unknown>;
}

/** The programs by the names that they have in package.json, too. */
const programs: Readonly<Record<string, Program>> = {
  start: {
    line: 'serves the API and the console until Ctrl-C; with RELAY=true, serves SDKs only',
    load: () => import('../local/start.ts'),
  },
  token: {
    line: 'creates, lists and revokes tokens',
    load: () => import('../commands/token.ts'),
  },
  password: {
    line: 'sets a new random password for a user',
    load: () => import('../commands/password.ts'),
  },
  seed: {
    line: 'adds to a store what a seed file has and the store lacks',
    load: () => import('../commands/seed.ts'),
  },
  migrate: {
    line: 'moves a running Unleash server into a store',
    load: () => import('../commands/migrate.ts'),
  },
  export: {
    line: 'writes features to a file, through the API',
    load: () => import('../commands/export.ts'),
  },
  import: {
    line: 'imports a file of features, through the API',
    load: () => import('../commands/import.ts'),
  },
  backup: {
    line: 'saves the content of a store to a file, while the service runs',
    load: () => import('../commands/backup.ts'),
  },
  restore: {
    line: 'fills a store from the file of a backup',
    load: () => import('../commands/restore.ts'),
  },
  'unleash-console': {
    line: "fetches Unleash's admin UI, for CONSOLE=unleash",
    load: () => import('../commands/unleash-console.ts'),
  },
};

const names = Object.keys(programs);
const width = Math.max(...names.map(({ length }) => length));

const help = `A feature-flag service, compatible with Unleash.

  flagstaff COMMAND [options]     ("flagstaff COMMAND --help" describes a command and its settings)

${Object.entries(programs)
  .map(([name, { line }]) => `  ${name.padEnd(width)}  ${line}`)
  .join('\n')}

  -h, --help  this text
  --version   version and commit

Commands and the server keep their data in the folder .data of the current folder; DATA_DIR names another one.`;

/**
 * Runs the command that the first argument names, as if it had been started by itself. Without one, it prints the help. An
 * unknown command is an error: one line that lists all commands, and exit code 2.
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
