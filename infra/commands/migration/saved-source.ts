import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Get, ServerAnswer } from '../../../lib/imports/migration/reading.ts';
import { integer, object, text } from '../../../lib/values/primitives.ts';
import { describeError, Problem } from '../../problem.ts';

const indexName = 'index.json';
const formatNumber = 1;

/** List of what was read: written last, so that its presence says that the folder is complete. */
const savedIndex = object({
  format: v.literal(formatNumber),
  /** Address of the server. */
  from: text,
  savedAt: text,
  reads: v.array(
    object({ path: text, status: integer, file: v.exactOptional(v.pipe(text, v.regex(/^[a-z0-9_.-]{1,120}\.json$/))) }),
  ),
});

/** Server as a folder keeps it. */
export interface SavedSource {
  readonly from: string;
  readonly get: Get;
}

/** A folder that takes what is read of a server. */
export interface SavingSource {
  readonly get: Get;
  /** Completes the folder. @returns the number of reads in it. */
  finish(): Promise<number>;
}

/**
 * Returns a reader that also writes each answer to a folder, as a file of JSON.
 * @throws Problem where the folder cannot be written, or holds something.
 */
export async function openSavingSource(folder: string, from: string, get: Get): Promise<SavingSource> {
  await mkdir(folder, { recursive: true }).catch((error) => refuse(folder, 'written', error));
  const before = await readdir(folder).catch((error) => refuse(folder, 'read', error));
  if (before.length > 0) throw new Problem(`${folder} is not empty: --save takes a new folder.`);
  const reads = new Map<string, v.InferOutput<typeof savedIndex>['reads'][number]>();
  const names = new Set([indexName]);
  const write = (file: string, content: unknown) =>
    writeFile(join(folder, file), `${JSON.stringify(content, undefined, 1)}\n`, { mode: 0o600 }).catch((error) =>
      refuse(folder, 'written', error),
    );
  return {
    get: async (path) => {
      const answer = await get(path);
      // Two lists may be members of one answer.
      if (reads.has(path)) return answer;
      const file = answer.status === 200 ? freeName(path, names) : undefined;
      reads.set(path, { path, status: answer.status, ...(file !== undefined && { file }) });
      if (file !== undefined) await write(file, withoutForeignSecrets(path, answer.body));
      return answer;
    },
    finish: async () => {
      const index = { format: formatNumber, from, savedAt: new Date().toISOString(), reads: [...reads.values()] };
      await write(indexName, index);
      return reads.size;
    },
  };
}

/**
 * Returns an answer without the secrets that nothing here needs: those of tokens that administer the server, of its identity
 * provider, and of links by which anybody may join it.
 */
function withoutForeignSecrets(path: string, body: unknown): unknown {
  const isForeign = /^\/api\/admin\/(auth|invite-link)\//.test(path)
    ? (key: string) => ['secret', 'clientSecret', 'url'].includes(key)
    : (key: string, value: string) => key === 'secret' && /^(\*:\*\.|user:)/.test(value);
  return JSON.parse(JSON.stringify(body), (key, value) =>
    typeof value === 'string' && isForeign(key, value) ? '***' : value,
  );
}

/** Returns a name for the answer to a path: small letters only, since some file systems take capitals for the same. */
function freeName(path: string, taken: Set<string>): string {
  const plain = path
    .replace(/^\/api\/admin\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100);
  let name = `${plain}.json`;
  for (let number = 2; taken.has(name); number += 1) name = `${plain}.${number}.json`;
  taken.add(name);
  return name;
}

/**
 * Returns a reader of a folder that `openSavingSource` has written.
 * @throws Problem for a folder that is none, or is incomplete.
 */
export async function openSavedSource(folder: string): Promise<SavedSource> {
  const index = await jsonIn(folder, indexName);
  const { success, output } = v.safeParse(savedIndex, index);
  if (!success) throw new Problem(`${join(folder, indexName)} is none that --save of this release has written.`);
  const reads = new Map(output.reads.map((read) => [read.path, read]));
  return {
    from: output.from,
    get: async (path): Promise<ServerAnswer> => {
      const { status, file } = reads.get(path) ?? { status: 404 };
      return { status, body: status === 200 && file !== undefined ? await jsonIn(folder, file) : undefined };
    },
  };
}

async function jsonIn(folder: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, file), 'utf8'));
  } catch (error) {
    if (file !== indexName || !('code' in Object(error)) || Object(error).code !== 'ENOENT') {
      return refuse(join(folder, file), 'read', error);
    }
    throw new Problem(`${folder} has no ${indexName}: --save has not written it, or not to the end.`);
  }
}

function refuse(place: string, deed: string, error: unknown): never {
  throw new Problem(`${place} cannot be ${deed}: ${describeError(error)}.`);
}
