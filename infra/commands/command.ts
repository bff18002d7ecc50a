import { ApiError } from '../../lib/errors.ts';

/** A command that was called wrongly. */
export class UsageError extends Error {}

/** A reason to end that is worth a line without more ado. */
export class CommandProblem extends Error {}

/**
 * Runs a command and ends the process with what came of it: 0; 2 with a line on stderr when it was called wrongly; 1
 * with a line for each problem when it could not do what it was told.
 */
export async function runCommand(name: string, command: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseError(error);
    for (const line of linesOf(error)) console.error(line);
    if (isUsage) console.error(`"npm run ${name} -- --help" tells how it is used.`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** What `parseArgs` throws for options that it does not know or cannot read. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

function linesOf(error: unknown): string[] {
  if (error instanceof ApiError) {
    return error.details.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`));
  }
  if (!(error instanceof Error)) return [String(error)];
  // The advice that follows the first sentence is about something else than these commands.
  return [isParseError(error) ? `${error.message.split(/\.\s/)[0]}.` : error.message];
}
