import type { Request } from '../../lib/request.ts';
import { interceptRequests } from '../harness/intercept.ts';

/** Lets a table of a store that has no point-in-time recovery answer what AWS does about it. */
export function giveBackups(table: Request): { isRecorded(): boolean } {
  let isRecorded = false;
  interceptRequests(table, async ({ operation }, next) => {
    if (operation === 'UpdateContinuousBackups') isRecorded = true;
    else if (operation !== 'DescribeContinuousBackups') return next();
    const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus: isRecorded ? 'ENABLED' : 'DISABLED' };
    return { ContinuousBackupsDescription: { PointInTimeRecoveryDescription } };
  });
  return { isRecorded: () => isRecorded };
}
