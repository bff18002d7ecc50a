import { Stack } from 'aws-cdk-lib';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Declaration } from '../lib/http/declaration.ts';
import type { StoreTable } from './table.ts';

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
  if (rights === 'count') return 'write';
  return method === 'GET' || rights === 'read' ? 'read' : 'write';
}

export interface RolesProps {
  readonly table: StoreTable;
  /** The log group that the functions of these roles share. */
  readonly logGroup: ILogGroup;
  /** The address that mails come from, where any are sent. */
  readonly emailSender: string | undefined;
}

/**
 * A role for each kind of access, and one more for what also sends mail. The functions of a folder share them, as they share
 * a log group.
 */
export class Roles extends Construct {
  readonly #props: RolesProps;
  readonly #roles = new Map<string, Role>();

  constructor(scope: Construct, id: string, props: RolesProps) {
    super(scope, id);
    this.#props = props;
  }

  /** The role for a function with this access to the table. */
  roleFor(access: Access, { sendsMail = false }: { readonly sendsMail?: boolean } = {}): IRole {
    const sender = sendsMail ? this.#props.emailSender : undefined;
    const name = sender === undefined ? access : `${access}AndMail`;
    return this.#roles.get(name) ?? this.#create(name, access, sender);
  }

  #create(name: string, access: Access, sender: string | undefined): Role {
    const { table, logGroup } = this.#props;
    const role = new Role(this, name, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.#roles.set(name, role);
    if (sender !== undefined) role.addToPolicy(mayMailAs(this, sender));
    logGroup.grantWrite(role);
    if (actionsOf[access].length > 0) table.grant(role, ...actionsOf[access]);
    return role;
  }
}

/** SES checks the identity that it has verified: the address itself, or its domain. */
function mayMailAs(scope: Construct, sender: string): PolicyStatement {
  const identities = [sender, sender.slice(sender.lastIndexOf('@') + 1)];
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: identities.map((resourceName) =>
      Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName }),
    ),
    conditions: { StringEquals: { 'ses:FromAddress': sender } },
  });
}
