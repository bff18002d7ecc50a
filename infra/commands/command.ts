import { type ParseArgsConfig, parseArgs, styleText } from 'node:util';
import { ApiError } from '../../lib/errors.ts';
import { buildName } from '../../lib/http/version.ts';
import { setCommit } from '../commit.ts';
import { describeError, Problem } from '../problem.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; strict: true; allowPositionals: true }>
>;

/** The arguments of a command, after every option was found to be one of its own. */
export interface CommandLine<O extends Options> {
  readonly values: Parsed<O>['values'];
  readonly positionals: readonly string[];
}

/** The outcome of a proof or a benchmark, in a sentence. */
export interface Verdict {
  readonly passed: boolean;
  readonly summary: string;
}

/** A command of package.json. */
export interface Command<O extends Options> {
  /** `token` for `npm run token`. */
  readonly name: string;
  /** The text that `--help` prints. */
  readonly help: string;
  readonly options?: O;
  /** True if it takes arguments that are no options. */
  readonly takesArguments?: boolean;
  run(line: CommandLine<O>): Promise<Verdict | undefined> | Promise<void>;
}

/** Returns a number of things in words: "1 flag", "2 flags". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A command that was called wrongly. */
export class UsageError extends Problem {}

const helpOption = { help: { type: 'boolean', short: 'h' } } as const;

/**
 * Runs a command and sets what the process ends with: 0; 2 with one line on stderr when it was called wrongly; 1 with a
 * line for each problem when it cannot do its work or print its output, or when its verdict is FAIL. `--help` and `-h` print
 * the help, `--version` the build, and do nothing else.
 */
export async function runCommand<O extends Options>(command: Command<O>, args = process.argv.slice(2)): Promise<void> {
  using _guard = guardTerminal();
  watchOutput();
  try {
    if (args.includes('--version')) {
      await setCommit();
      return console.log(buildName());
    }
    const line = read(command, args);
    if (line === undefined) return console.log(command.help);
    const verdict = await command.run(line);
    if (verdict !== undefined) conclude(verdict);
  } catch (error) {
    report(command, error);
  }
}

let isOutputWatched = false;

/** Lets a command fail whose output is lost, such as the secret of a new token. */
function watchOutput(): void {
  if (isOutputWatched) return;
  isOutputWatched = true;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of a pipe may have seen enough. Each write fails, but one line says it.
    if (process.exitCode !== 1 && code !== 'EPIPE') console.error(`What it prints cannot be written: ${message}`);
    process.exitCode = 1;
  });
}

/** Holds names and messages of others off commands to the terminal until it is disposed of. */
function guardTerminal(): Disposable {
  const { log, error } = console;
  const guarded =
    (print: typeof log) =>
    (...all: unknown[]) =>
      print(...all.map((each) => (typeof each === 'string' ? printable(each) : each)));
  Object.assign(console, { log: guarded(log), error: guarded(error) });
  return { [Symbol.dispose]: () => void Object.assign(console, { log, error }) };
}

/** Returns lines with control characters, and those that turn the direction of a text, as JSON can have them. */
function printable(lines: string): string {
  return lines.replace(
    /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The command line; undefined where it asks for help. */
function read<O extends Options>({ options, takesArguments = false }: Command<O>, args: string[]) {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const found = parseArgs({
    args,
    options: { ...options, ...helpOption },
    strict: true,
    allowPositionals: takesArguments,
  });
  // The compiler does not follow options that are still a parameter; Node has checked the values against them.
  return found as unknown as CommandLine<O>;
}

function conclude({ passed, summary }: Verdict): void {
  const verdict = passed ? styleText('green', 'PASS') : styleText('red', 'FAIL');
  process.stdout.write(`${verdict}: ${printable(summary)}\n`);
  if (!passed) process.exitCode = 1;
}

function report({ name }: Pick<Command<Options>, 'name'>, error: unknown): void {
  const isUsage = error instanceof UsageError || isParseError(error);
  process.exitCode = isUsage ? 2 : 1;
  if (isUsage) console.error(`${linesOf(error).join(' ')} "npm run ${name} -- --help" shows how to use it.`);
  else for (const line of linesOf(error)) console.error(line);
}

/** Tells whether an error is one that `parseArgs` throws for options that it does not know or cannot read. */
function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

function linesOf(error: unknown): string[] {
  if (error instanceof ApiError) {
    // Behind those of the service are the store's own words, such as of a full disk.
    if (error.cause !== undefined) return [describeError(error)];
    return error.details.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`));
  }
  if (!(error instanceof Error)) return [String(error)];
  // The advice that follows the first sentence is about something else than these commands.
  if (isParseError(error)) {
    const [sentence = ''] = error.message.split(/\.\s/);
    return [`${sentence.replace(/\.$/, '').replace('argument is ambiguous', 'needs a value')}.`];
  }
  return [isMistakeOfOurs(error) ? (error.stack ?? error.message) : error.message];
}

/** The operator can do nothing about those, but the stack helps the person who can. */
function isMistakeOfOurs(error: Error): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((each) => error.constructor === each);
}
