import type { Request } from '../../lib/request.ts';

/** Lets a table of a store that has no point-in-time recovery answer what AWS does about it. */
export function giveBackups({ store: { client } }: Request): { isRecorded(): boolean } {
  let isRecorded = false;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'UpdateContinuousBackupsCommand') isRecorded = true;
        else if (commandName !== 'DescribeContinuousBackupsCommand') return next(args);
        const PointInTimeRecoveryDescription = {
          PointInTimeRecoveryStatus: isRecorded ? 'ENABLED' : 'DISABLED',
        } as const;
        const output = { ContinuousBackupsDescription: { PointInTimeRecoveryDescription }, $metadata: {} };
        return { output, response: {} } as unknown as Awaited<ReturnType<typeof next>>;
      },
    { step: 'initialize', priority: 'low' },
  );
  return { isRecorded: () => isRecorded };
}
