import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../infra/bundle.ts';
import type { Evaluation } from '../../lib/delivery/evaluation/evaluation.ts';
import { suiteOfEvaluation } from '../harness/evaluation-suite.ts';
import { folderOfTests } from '../harness/test-folder.ts';

// The evaluation as it is deployed, where what compiles regular expressions lies beside it.
const bundles = folderOfTests();
const source = fileURLToPath(new URL('../../lib/delivery/evaluation/evaluation.ts', import.meta.url));
await bundle({ evaluation: source }, bundles);
const bundled: { Evaluation: typeof Evaluation } = createRequire(import.meta.url)(
  join(bundles, 'evaluation/index.cjs'),
);

suiteOfEvaluation(bundled.Evaluation);
