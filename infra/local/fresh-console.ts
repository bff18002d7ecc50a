import type { LambdaHandler } from '../../lib/http/declaration.ts';
import { isForBrowser } from '../../lib/pages/page.ts';
import { refreshConsole } from '../console/refresh-console.ts';
import { describeError } from '../problem.ts';
import { say } from './say.ts';

/**
 * Returns the handler of the console's pages with a build before it, if a source is newer. So a start takes no longer, and a change of
 * a source needs no restart.
 */
export function withFreshConsole(handler: LambdaHandler): LambdaHandler {
  let refreshing: Promise<void> | undefined;
  return async (event, context) => {
    if (isForBrowser(event.headers.accept)) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    }
    return handler(event, context);
  };
}

/** Builds the console. Without esbuild, an earlier build is served; if there is none, the page says how to make it. */
async function refresh(): Promise<void> {
  try {
    await refreshConsole();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') {
      say(`The console cannot be built: ${describeError(error)}`, 'ERROR');
    }
  }
}
