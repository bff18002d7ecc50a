import { readFile } from 'node:fs/promises';
import { parseSeed } from '../../lib/seed/seed-data.ts';
import { type Added, seedStore } from '../../lib/seed/seed-store.ts';
import { Problem } from '../problem.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Adds to the store what it lacks of a seed file, and leaves alone what it holds already.

  npm run seed -- FILE.json     (-h, --help: this text)

The README describes the file. If anything in it is wrong, every problem is named and nothing is written.

${storeHelp}`;

async function seed({ positionals }: CommandLine<Record<string, never>>): Promise<void> {
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError('Exactly one seed file is needed.');
  const { data, notes, ...found } = parseSeed(await jsonIn(file));
  for (const note of notes) console.error(`${file}: ${note}`);
  const { added } = await withStore((table) => seedStore(table, data, found));
  console.log(added.length === 0 ? 'Nothing was missing.' : summaryOf(added));
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'holds no valid JSON' : 'cannot be read';
    throw new Problem(`${file} ${reason}: ${(error as Error).message}`);
  }
}

/** A line for each kind: "Added environment: staging, qa". */
function summaryOf(added: readonly Added[]): string {
  const kinds = Map.groupBy(added, ({ kind }) => kind);
  return [...kinds].map(([kind, things]) => `Added ${kind}: ${things.map(({ name }) => name).join(', ')}`).join('\n');
}

await runCommand({ name: 'seed', help, takesArguments: true, run: seed });
