import { bundle } from '../../infra/bundle.ts';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { createTable } from '../../lib/store/client/tables.ts';
import { startDynamoDbServer } from '../harness/dynamodb-server.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { environmentOfFunctions } from './cold-start.ts';

/** The bundles of functions, and the store that they find by their environment. They go with the block that uses them. */
export interface ColdStage extends AsyncDisposable {
  readonly directory: string;
  readonly environment: ReturnType<typeof environmentOfFunctions>;
}

/** @param files the entry points of the functions, by name. */
export async function setColdStage(
  files: Readonly<Record<string, string>>,
  adminTokens: readonly string[],
): Promise<ColdStage> {
  await using stack = new AsyncDisposableStack();
  const { path: directory } = stack.use(temporaryFolder());
  const store = stack.adopt(await startDynamoDbServer({ file: undefined }), (each) => each.stop());
  await bundle(files, directory);
  Object.assign(process.env, { DYNAMODB_ENDPOINT: store.endpoint, TABLE_NAME: 'bench' });
  const table = createEnvironmentRequest();
  await createTable(table);
  await prepareStore(table, { adminTokens });
  const kept = stack.move();
  return {
    directory,
    environment: environmentOfFunctions({ endpoint: store.endpoint, table: table.store.name }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
