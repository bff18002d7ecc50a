import { authorizationFor } from './emulated.ts';
import { waitUntil } from './step.ts';

const deletionMs = 60_000;

async function call(endpoint: string, action: string, stackName: string): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization: authorizationFor('cloudformation') },
    body: new URLSearchParams({ Action: action, Version: '2010-05-15', StackName: stackName }),
    signal: AbortSignal.timeout(10_000),
  });
  return response.text();
}

/** Returns true if a stack with this name exists. */
export async function stackExists(endpoint: string, stackName: string): Promise<boolean> {
  return (await call(endpoint, 'DescribeStacks', stackName)).includes('<StackId>');
}

/**
 * Deletes a stack by its name, and waits until it is deleted.
 * @throws RehearsalProblem if the stack still exists after a minute.
 */
export async function deleteStack(endpoint: string, stackName: string): Promise<void> {
  await call(endpoint, 'DeleteStack', stackName);
  await waitUntil(
    `the stack ${stackName} is deleted`,
    deletionMs,
    async () => !(await stackExists(endpoint, stackName)),
  );
}
