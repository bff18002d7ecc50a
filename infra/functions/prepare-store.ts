import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import { NewerStoreError } from '../../lib/migrations/migrate.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { adoptTable } from '../../lib/store/client/tables.ts';
import { answerCloudFormation, type CustomResourceEvent, type RunningTime } from './custom-resource.ts';
import { retryMissingRights } from './retry-missing-rights.ts';

/** The properties of the table that the stack hands over. CloudFormation passes text only. */
export interface PreparationProperties {
  readonly TableName: string;
  readonly Migrations: string;
  /** These three are there for a table that the stack did not create itself. */
  readonly DeletionProtection?: string;
  readonly MaxReadUnits?: string;
  readonly MaxWriteUnits?: string;
}

/**
 * Gives the deployed table what every store holds, and one that the stack did not create the protection of one that it
 * did. CloudFormation calls it when one of the properties changes. What is there already stays.
 */
export async function handler(event: CustomResourceEvent<PreparationProperties>, context: RunningTime): Promise<void> {
  await answerCloudFormation(event, context, async () => {
    // The table outlives the resource.
    if (event.RequestType === 'Delete') return;
    const { DeletionProtection, MaxReadUnits, MaxWriteUnits } = event.ResourceProperties;
    const table = createEnvironmentRequest();
    await retryMissingRights(async () => {
      if (DeletionProtection !== undefined) {
        await adoptTable(table, {
          deletionProtection: DeletionProtection === 'true',
          maxReadUnits: Number(MaxReadUnits),
          maxWriteUnits: Number(MaxWriteUnits),
        });
      }
      try {
        await prepareStore(table, { adminTokens: [] });
      } catch (error) {
        // A deployment that goes back to an older version must not fail, or the stack would be stuck between the two.
        if (!(error instanceof NewerStoreError)) throw error;
      }
    });
  });
}
