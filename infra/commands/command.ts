import { type ParseArgsConfig, parseArgs, styleText } from 'node:util';
import { ApiError } from '../../lib/errors.ts';
import { buildName } from '../../lib/http/version.ts';
import { setCommit } from '../commit.ts';
import { describeError, Problem } from '../problem.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; strict: true; allowPositionals: true }>
>;

/** The parsed arguments of a command. */
export interface CommandLine<O extends Options> {
  readonly values: Parsed<O>['values'];
  readonly positionals: readonly string[];
}

/** The result of a proof or a benchmark, with a one-sentence summary. */
export interface Verdict {
  readonly passed: boolean;
  readonly summary: string;
}

/** A command in package.json. */
export interface Command<O extends Options> {
  /** The name after `npm run`, such as `token`. */
  readonly name: string;
  /** The text that `--help` prints. */
  readonly help: string;
  readonly options?: O;
  /** True if the command takes positional arguments. */
  readonly takesArguments?: boolean;
  /** The exit code of a failure without a verdict; 1 by default. With 2, callers can tell it from the verdict FAIL. */
  readonly failureCode?: 1 | 2;
  run(line: CommandLine<O>): Promise<Verdict | undefined> | Promise<void>;
}

/** Returns a count with its noun: "1 flag", "2 flags". */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** A mistake in the arguments of a command. */
export class UsageError extends Problem {}

const helpOption = { help: { type: 'boolean', short: 'h' } } as const;

/**
 * Runs a command and sets the exit code of the process: 0 for success; 2 and one line on stderr for wrong arguments; 1, or `failureCode`,
 * and a line for each problem if the command fails; 1 if its output fails or its verdict is FAIL. `--help` and `-h` print the help, and
 * `--version` prints the build; neither runs the command.
 */
export async function runCommand<O extends Options>(command: Command<O>, args = process.argv.slice(2)): Promise<void> {
  using _guard = guardTerminal();
  watchOutput();
  try {
    if (args.includes('--version')) {
      await setCommit();
      return console.log(buildName());
    }
    const line = parseLine(command, args);
    if (line === undefined) return console.log(command.help);
    const verdict = await command.run(line);
    if (verdict !== undefined) printVerdict(verdict);
  } catch (error) {
    report(command, error);
  }
}

let isOutputWatched = false;

/** Makes the command fail if its output is lost, such as the secret of a new token. */
function watchOutput(): void {
  if (isOutputWatched) return;
  isOutputWatched = true;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A closed pipe is no error: its reader may have seen enough. Every write fails, but only one message is printed.
    if (process.exitCode !== 1 && code !== 'EPIPE') console.error(`The output cannot be written: ${message}`);
    process.exitCode = 1;
  });
}

/** Keeps control characters in printed data from changing the terminal, until it is disposed of. */
function guardTerminal(): Disposable {
  const { log, error } = console;
  const guarded =
    (print: typeof log) =>
    (...all: unknown[]) =>
      print(...all.map((value) => (typeof value === 'string' ? escapeControls(value) : value)));
  Object.assign(console, { log: guarded(log), error: guarded(error) });
  return { [Symbol.dispose]: () => void Object.assign(console, { log, error }) };
}

/** Escapes control characters and characters that change the direction of text, as JSON does. */
function escapeControls(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Parses the command line. Returns undefined if it asks for help. */
function parseLine<O extends Options>({ options, takesArguments = false }: Command<O>, args: string[]) {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const line = parseArgs({
    args,
    options: { ...options, ...helpOption },
    strict: true,
    allowPositionals: takesArguments,
  });
  // The compiler does not derive the type of the values from generic options, but `parseArgs` has checked them.
  return line as unknown as CommandLine<O>;
}

function printVerdict({ passed, summary }: Verdict): void {
  const verdict = passed ? styleText('green', 'PASS') : styleText('red', 'FAIL');
  process.stdout.write(`${verdict}: ${escapeControls(summary)}\n`);
  if (!passed) process.exitCode = 1;
}

function report({ name, failureCode = 1 }: Pick<Command<Options>, 'name' | 'failureCode'>, error: unknown): void {
  const isUsage = error instanceof UsageError || isParseError(error);
  process.exitCode = isUsage ? 2 : failureCode;
  if (isUsage) console.error(`${linesOf(error).join(' ')} "npm run ${name} -- --help" shows how to use it.`);
  else for (const line of linesOf(error)) console.error(line);
}

/** Returns true for an error that `parseArgs` throws for an unknown or incomplete option. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

function linesOf(error: unknown): string[] {
  if (error instanceof ApiError) {
    // The cause is an error of the store, such as a full disk.
    if (error.cause !== undefined) return [describeError(error)];
    return error.details.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`));
  }
  if (!(error instanceof Error)) return [String(error)];
  // Node adds advice after the first sentence, which does not apply to these commands.
  if (isParseError(error)) {
    const [sentence = ''] = error.message.split(/\.\s/);
    return [`${sentence.replace(/\.$/, '').replace('argument is ambiguous', 'needs a value')}.`];
  }
  return [isBug(error) ? (error.stack ?? error.message) : error.message];
}

/** Returns true for a programming error, whose stack helps to find it. */
function isBug(error: Error): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error.constructor === type);
}
