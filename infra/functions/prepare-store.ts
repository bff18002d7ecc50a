import { setTimeout as sleep } from 'node:timers/promises';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import { NewerStoreError } from '../../lib/migrations/migrate.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { configureRestoredTable } from '../../lib/store/client/tables.ts';
import { answerCloudFormation, type CustomResourceEvent, type RunningTime } from './custom-resource.ts';

/** The properties of the table that the stack passes. CloudFormation passes strings only. */
export interface PreparationProperties {
  readonly TableName: string;
  readonly Migrations: string;
  /** The settings of a table that the stack did not create; undefined for its own. */
  readonly DeletionProtection?: string;
  readonly MaxReadUnits?: string;
  readonly MaxWriteUnits?: string;
}

/**
 * Adds the initial data to the deployed table, and protects a table that the stack did not create. CloudFormation calls it if
 * one of the properties changes. Existing data are not changed.
 */
export async function handler(event: CustomResourceEvent<PreparationProperties>, context: RunningTime): Promise<void> {
  await answerCloudFormation(event, context, async () => {
    // The table outlives the custom resource.
    if (event.RequestType === 'Delete') return;
    const { DeletionProtection, MaxReadUnits, MaxWriteUnits } = event.ResourceProperties;
    const table = createEnvironmentRequest();
    await retryMissingRights(async () => {
      if (DeletionProtection !== undefined) {
        await configureRestoredTable(table, {
          deletionProtection: DeletionProtection === 'true',
          maxReadUnits: Number(MaxReadUnits),
          maxWriteUnits: Number(MaxWriteUnits),
        });
      }
      try {
        await prepareStore(table, { adminTokens: [] });
      } catch (error) {
        // A rollback to an older version must not fail, or the stack would be stuck between the two versions.
        if (!(error instanceof NewerStoreError)) throw error;
      }
    });
  });
}

const maxRetryMs = 45_000;
const pauseMs = 1_000;

/** Retries for up to 45 seconds while rights are missing: new IAM rights take some seconds to apply everywhere. */
async function retryMissingRights<T>(attempt: () => Promise<T>): Promise<T> {
  const start = Date.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isDenied = error instanceof Error && error.name === 'AccessDeniedException';
      if (!isDenied || Date.now() - start > maxRetryMs) throw error;
    }
    await sleep(pauseMs);
  }
}
