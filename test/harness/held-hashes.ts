import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { close, constants, open, openSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { vi } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Lets every hash of a password take a thread of Node's until `release`, as a real one does for a while: it opens a named pipe
 * that nobody writes to. No password is right.
 */
export function holdHashes() {
  const folder = temporaryFolder();
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const running = { now: 0, most: 0 };
  const held = (...[, , length, , done]: Parameters<typeof crypto.scrypt>) => {
    running.now += 1;
    running.most = Math.max(running.most, running.now);
    open(pipe, 'r', (error, file) => {
      running.now -= 1;
      close(file);
      done(error, Buffer.alloc(length));
    });
  };
  vi.spyOn(crypto, 'scrypt').mockImplementation(held as never);
  syncBuiltinESMExports();
  let writer: number | undefined;
  return {
    running,
    /** Lets all hashes end, from now on at once. */
    release() {
      writer ??= openSync(pipe, constants.O_RDWR);
    },
    [Symbol.dispose]() {
      this.release();
      if (writer !== undefined) close(writer);
      vi.mocked(crypto.scrypt).mockRestore();
      syncBuiltinESMExports();
      folder[Symbol.dispose]();
    },
  };
}
