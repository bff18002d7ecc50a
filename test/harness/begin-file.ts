import { vi } from 'vitest';
import { restoreEnvironment } from './environment.ts';

/** Runs before each test file: what an earlier one in the same process has set or replaced is no business of this one. */
vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllEnvs();
restoreEnvironment();
