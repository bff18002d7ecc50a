import { createRequest } from '../../../lib/request.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import { type LocalProcessOptions, startLocalProcess } from '../../harness/local-process.ts';
import { flagstaffPreparation } from './flagstaff.ts';
import { processTimeOf } from './process-time.ts';
import { MeasuredServer } from './server.ts';

/** The largest body limit that the server accepts, so that it takes a thousand features at once. */
const importBytesMax = 4_718_592;
/** The largest limit that it accepts for a project, which the works that make features fill within a minute. */
const featuresMax = 50_000;

/** Starts the local server that is measured. It ends, and its data go, with the block that uses it. */
export async function startMeasuredServer({ environment, ...options }: LocalProcessOptions) {
  const limits = { IMPORT_BODY_LIMIT_BYTES: String(importBytesMax), PROJECT_FEATURES_LIMIT: String(featuresMax) };
  const local = await startLocalProcess({ ...options, environment: { ...limits, ...environment } });
  const { pid, storeEndpoint } = local;
  const table = createRequest(openStore({ name: 'flagstaff', endpoint: storeEndpoint }));
  return {
    server: new MeasuredServer(
      { name: 'Flagstaff', ...local },
      flagstaffPreparation(local, table, importBytesMax),
      () => processTimeOf([pid]),
    ),
    pid,
    storeEndpoint,
    /** For what the API cannot create yet. */
    table,
    async [Symbol.asyncDispose]() {
      table.store.client.destroy();
      await local[Symbol.asyncDispose]();
    },
  };
}
