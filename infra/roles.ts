import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Declaration } from '../lib/http/declaration.ts';

/** What a function may do on the table. */
export type Access = 'none' | 'read' | 'write';

const readActions = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
/** A transaction needs no action of its own but those of its parts. */
const writeActions = ['dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];

const actionsOf: Readonly<Record<Access, readonly string[]>> = {
  none: [],
  read: readActions,
  write: [...readActions, ...writeActions],
};

/** What an endpoint needs on the table: the rights of its handler, and those to look its caller's token up. */
export function accessOf({ method, access, public: isPublic }: Declaration): Access {
  if (access === 'none') return isPublic ? 'none' : 'read';
  return method === 'GET' || access === 'read' ? 'read' : 'write';
}

/** A role for each kind of access, shared by its functions: a stack holds 500 resources at the most. */
export class Roles extends Construct {
  readonly none: Role;
  readonly read: Role;
  readonly write: Role;

  constructor(scope: Construct, id: string, { table, logGroup }: { table: Table; logGroup: LogGroup }) {
    super(scope, id);
    const roleFor = (access: Access) => {
      const role = new Role(this, access, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
      logGroup.grantWrite(role);
      if (actionsOf[access].length > 0) table.grant(role, ...actionsOf[access]);
      return role;
    };
    this.none = roleFor('none');
    this.read = roleFor('read');
    this.write = roleFor('write');
  }
}
