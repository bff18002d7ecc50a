import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { bundle } from '../../infra/bundle.ts';
import type { Evaluation } from '../../lib/delivery/evaluation/evaluation.ts';
import { suiteOfEvaluation } from '../harness/evaluation-suite.ts';

// The evaluation as it is deployed, where what compiles regular expressions lies beside it.
const bundles = mkdtempSync(join(tmpdir(), 'flagstaff-evaluation-'));
afterAll(() => rmSync(bundles, { recursive: true }));
const source = fileURLToPath(new URL('../../lib/delivery/evaluation/evaluation.ts', import.meta.url));
await bundle({ evaluation: source }, bundles);
const bundled: { Evaluation: typeof Evaluation } = createRequire(import.meta.url)(
  join(bundles, 'evaluation/index.cjs'),
);

suiteOfEvaluation(bundled.Evaluation);
