import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const schema = v.object({ url: v.string(), store: v.string() });

/** The details that a running server leaves in its folder, for the commands and for a second start. */
export type Running = v.InferOutput<typeof schema>;

const fileIn = (directory: string) => join(directory, 'running.json');

/** Writes it for this user alone. */
export function writeRunning(directory: string, running: Running): void {
  const file = fileIn(directory);
  writeFileSync(`${file}.new`, JSON.stringify(running), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * Reads the details that the server of a folder has written; undefined when none has. It may have been killed since.
 */
export function readRunning(directory: string): Running | undefined {
  try {
    return v.parse(schema, JSON.parse(readFileSync(fileIn(directory), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Removes it when the server ends. */
export function removeRunning(directory: string): void {
  rmSync(fileIn(directory), { force: true });
}
