import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Get, ServerAnswer } from '../../../lib/imports/migration/reading.ts';
import { integer, object, text } from '../../../lib/values/primitives.ts';
import { describeError, Problem } from '../../problem.ts';

const indexName = 'index.json';
const formatNumber = 1;

/** The index of the saved answers. It is written last, so a folder with an index is complete. */
const savedIndex = object({
  format: v.literal(formatNumber),
  /** Address of the server. */
  from: text,
  savedAt: text,
  reads: v.array(
    object({ path: text, status: integer, file: v.exactOptional(v.pipe(text, v.regex(/^[a-z0-9_.-]{1,120}\.json$/))) }),
  ),
});

/** A server whose answers were saved to a folder. */
export interface SavedSource {
  readonly from: string;
  readonly get: Get;
}

/** A reader of a server that saves the answers to a folder. */
export interface SourceRecorder {
  readonly get: Get;
  /** Completes the folder. @returns the number of saved answers. */
  finish(): Promise<number>;
}

/**
 * Returns a reader that also writes each answer to a folder, as a JSON file.
 * @throws Problem if the folder cannot be written, or is not empty.
 */
export async function openRecorder(folder: string, from: string, get: Get): Promise<SourceRecorder> {
  await mkdir(folder, { recursive: true }).catch((error) => refuse(folder, 'written', error));
  const before = await readdir(folder).catch((error) => refuse(folder, 'read', error));
  if (before.length > 0) throw new Problem(`${folder} is not empty: --save needs a new or empty folder.`);
  const reads = new Map<string, v.InferOutput<typeof savedIndex>['reads'][number]>();
  const names = new Set([indexName]);
  const write = (file: string, content: unknown) =>
    writeFile(join(folder, file), `${JSON.stringify(content, undefined, 1)}\n`, { mode: 0o600 }).catch((error) =>
      refuse(folder, 'written', error),
    );
  return {
    get: async (path) => {
      const answer = await get(path);
      // The same answer may be read twice, for two lists in it.
      if (reads.has(path)) return answer;
      const file = answer.status === 200 ? freeName(path, names) : undefined;
      reads.set(path, { path, status: answer.status, ...(file !== undefined && { file }) });
      if (file !== undefined) await write(file, maskSecrets(path, answer.body));
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
 * Masks the secrets that a migration does not need: those of admin and personal tokens, of the identity provider, and of invitation
 * links.
 */
function maskSecrets(path: string, body: unknown): unknown {
  const isMasked = /^\/api\/admin\/(auth|invite-link)\//.test(path)
    ? (key: string) => ['secret', 'clientSecret', 'url'].includes(key)
    : (key: string, value: string) => key === 'secret' && /^(\*:\*\.|user:)/.test(value);
  return JSON.parse(JSON.stringify(body), (key, value) =>
    typeof value === 'string' && isMasked(key, value) ? '***' : value,
  );
}

/** Returns a free file name for the answer to a path, in lower case, since some file systems ignore case. */
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
 * Returns a reader of a folder that `openRecorder` has written.
 * @throws Problem if the folder has no index, or an invalid one.
 */
export async function openSavedSource(folder: string): Promise<SavedSource> {
  const index = await readJson(folder, indexName);
  const { success, output } = v.safeParse(savedIndex, index);
  if (!success) throw new Problem(`${join(folder, indexName)} was not written by --save of this release.`);
  const reads = new Map(output.reads.map((read) => [read.path, read]));
  return {
    from: output.from,
    get: async (path): Promise<ServerAnswer> => {
      const { status, file } = reads.get(path) ?? { status: 404 };
      return { status, body: status === 200 && file !== undefined ? await readJson(folder, file) : undefined };
    },
  };
}

async function readJson(folder: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, file), 'utf8'));
  } catch (error) {
    if (file !== indexName || !('code' in Object(error)) || Object(error).code !== 'ENOENT') {
      return refuse(join(folder, file), 'read', error);
    }
    throw new Problem(`${folder} has no ${indexName}: it was not written by --save, or --save was interrupted.`);
  }
}

function refuse(path: string, participle: string, error: unknown): never {
  throw new Problem(`${path} cannot be ${participle}: ${describeError(error)}.`);
}
