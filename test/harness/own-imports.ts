import { isBuiltin, registerHooks } from 'node:module';

/** The mark by which vitest has a test file or a setup file run again: the moment, with its "?" as part of the name. */
const vitestMark = /%3Fvitest=\d+$/;

const turns = new Map<string, number>();

/**
 * Resolves imports of the sources, the tests and Node's own modules before vitest's own hook sees them. That one sends a message to
 * the main process for each, which only the watch needs; and it names a file that runs again after the moment, so that its compiled
 * code is never found again. Stryker's runner imports in another way.
 */
if (process.env.VITEST_MODE === 'RUN' && process.env.STRYKER_MUTATOR_WORKER === undefined) {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
        return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
      }
      if (isBuiltin(specifier)) {
        const url = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
        return { url, format: 'builtin', shortCircuit: true };
      }
      if (!vitestMark.test(specifier)) return next(specifier, context);
      const found = next(specifier.replace(vitestMark, ''), context);
      const turn = (turns.get(found.url) ?? 0) + 1;
      turns.set(found.url, turn);
      return { ...found, url: `${found.url}?turn=${turn}` };
    },
  });
}
