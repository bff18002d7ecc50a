import { prepareStore } from '../../lib/seed/fresh-store.ts';
import { environmentTable } from '../../lib/table/client.ts';
import { answerCloudFormation, type CustomResourceEvent, type RunningTime } from './custom-resource.ts';
import { readFirstToken } from './first-token-secret.ts';
import { retryMissingRights } from './retry-missing-rights.ts';

/**
 * Gives the deployed table what every store holds, and its first admin token: that of the secret that
 * `FIRST_TOKEN_SECRET` names. CloudFormation calls it when either of the two is new. What is there already stays.
 */
export async function handler(event: CustomResourceEvent, context: RunningTime): Promise<void> {
  await answerCloudFormation(event, context, async () => {
    // The table outlives the resource, and its tokens with it.
    if (event.RequestType === 'Delete') return;
    await retryMissingRights(async () => {
      const token = await readFirstToken(process.env.FIRST_TOKEN_SECRET ?? '');
      await prepareStore(environmentTable(), { adminTokens: [token] });
    });
  });
}
