#!/usr/bin/env node
// The program of the bundle. It loads the rest only when it knows that this Node can read it.
import { describeOldNode } from '../node-version.mjs';

const oldNode = describeOldNode();
if (oldNode === undefined) {
  const { runNamedProgram } = await import('./programs.ts');
  await runNamedProgram();
} else {
  console.error(`${oldNode}.`);
  process.exitCode = 1;
}
