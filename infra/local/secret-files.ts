import { readFileSync } from 'node:fs';
import { describeError, Problem } from '../problem.ts';

/** The settings that are secrets. */
const secretVariables = [
  'INIT_ADMIN_API_TOKENS',
  'INIT_ADMIN_PASSWORD',
  'INIT_CLIENT_API_TOKENS',
  'INIT_BACKEND_API_TOKENS',
  'INIT_FRONTEND_API_TOKENS',
  'SMTP_URL',
  'EMAIL_PASSWORD',
  'CHECKPOINT_KEY',
] as const;

/**
 * Returns environment variables with the secrets that are in files. A name with `_FILE` at its end gives the path, such as
 * `INIT_ADMIN_PASSWORD_FILE`. Containers and systemd hand over secrets in this way: other processes cannot read them, as they can
 * read the environment. A line break at the end of a file does not count.
 * @throws Problem with a line for each file that cannot be read or is empty, and for each secret that is given twice.
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const problems: string[] = [];
  const secrets = secretVariables.flatMap((name): [string, string][] => {
    const variable = `${name}_FILE`;
    const file = environment[variable];
    if (!file) return [];
    if (environment[name]) problems.push(`${name} and ${variable} cannot both be set.`);
    try {
      const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (secret === '') problems.push(`${variable} ${file} is empty.`);
      return [[name, secret]];
    } catch (error) {
      problems.push(`${variable} ${file} cannot be read: ${describeError(error)}`);
      return [];
    }
  });
  if (problems.length > 0) throw new Problem(...problems);
  return { ...environment, ...Object.fromEntries(secrets) };
}
