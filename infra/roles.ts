import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
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
export function accessOf({ method, rights, audience }: Declaration): Access {
  if (rights === 'none') return audience === 'public' ? 'none' : 'read';
  return method === 'GET' || rights === 'read' ? 'read' : 'write';
}

/** A role for each kind of access, shared by the functions of a stack, which holds 500 resources at the most. */
export class Roles extends Construct {
  readonly #table: Table;
  readonly #roles = new Map<Access, Role>();

  constructor(scope: Construct, id: string, { table }: { table: Table }) {
    super(scope, id);
    this.#table = table;
  }

  /** The role for a function with this access to the table, and the right to write into its own log group. */
  roleFor(access: Access, logGroup: ILogGroup): IRole {
    const role = this.#roles.get(access) ?? this.#create(access);
    logGroup.grantWrite(role);
    return role;
  }

  #create(access: Access): Role {
    const role = new Role(this, access, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.#roles.set(access, role);
    if (actionsOf[access].length > 0) this.#table.grant(role, ...actionsOf[access]);
    return role;
  }
}
