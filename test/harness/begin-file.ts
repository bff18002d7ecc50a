import './own-imports.ts';
import { afterEach, vi } from 'vitest';
import { newHashes } from '../../lib/sign-in/passwords/password-hash.ts';
import { contention } from '../../lib/store/transactions/retry.ts';
import { sampling } from '../../lib/usage/traffic.ts';
import { restoreEnvironment } from './environment.ts';

/** Runs before each test file: what an earlier one in the same process has set or replaced is no business of this one. */
vi.useRealTimers();
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
// For this process alone: programs that tests start lie in other folders each time.
delete process.env.NODE_COMPILE_CACHE;
restoreEnvironment();
// Thousands of passwords are hashed, and nobody steals them.
newHashes.cost = { logN: 4, r: 1, p: 1 };
// A call that is counted writes once more than others, by chance.
sampling.calls = Number.POSITIVE_INFINITY;
// A writer that a test holds back would keep those waiting that it lets through first.
contention.rememberedMs = 0;
