import { callEmulated, dynamoDb, logs } from './emulated.ts';

/**
 * Lists the resources in the account that may outlive a stack: tables, and the log groups that a stack names.
 */
export async function leftovers(endpoint: string): Promise<unknown[]> {
  const { TableNames = [] } = await callEmulated(endpoint, dynamoDb, 'ListTables');
  const { logGroups = [] } = await callEmulated(endpoint, logs, 'DescribeLogGroups');
  return [TableNames, logGroups].flat();
}
