import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Declaration, isOfSdks } from '../lib/http/declaration.ts';
import { allowMails } from './mail-rights.ts';
import { reportPartitions, signInPartitions, tokenPartitions, trafficPartitions } from './report-partitions.ts';
import type { StackSettings } from './settings.ts';
import type { GrantConditions, StoreTable } from './table.ts';

/** The access of a function to the table. `read` also counts calls; `report` writes only what SDKs report. */
export type Access = 'none' | 'read' | 'report' | 'write';

const readActions = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
/** A transaction needs the actions of its parts, and no action of its own. */
const writeActions = ['dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];

/** Actions on the table, on all items or only in the partitions of a condition. */
interface Allowed {
  readonly actions: readonly string[];
  readonly conditions?: GrantConditions;
}

/** The key of a condition on partitions. With `ForAllValues`, it applies to each partition of a request. */
const within = (partitions: readonly string[]) => ({ 'dynamodb:LeadingKeys': partitions });
const without = (partitions: readonly string[]): GrantConditions => ({
  'ForAllValues:StringNotLike': within(partitions),
});

const allowed: Readonly<Record<Access, readonly Allowed[]>> = {
  none: [],
  read: [
    { actions: readActions },
    { actions: ['dynamodb:UpdateItem'], conditions: { 'ForAllValues:StringLike': within(trafficPartitions) } },
  ],
  report: [
    { actions: [...readActions, 'dynamodb:ConditionCheckItem'], conditions: without(signInPartitions) },
    {
      actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      conditions: { 'ForAllValues:StringLike': within(reportPartitions) },
    },
    {
      actions: ['dynamodb:UpdateItem'],
      conditions: {
        'ForAllValues:StringLike': within(tokenPartitions),
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'seenAt'] },
      },
    },
  ],
  write: [{ actions: [...readActions, ...writeActions] }],
};

/** Returns the access of a function that serves several endpoints. */
export function accessOfAll(accesses: readonly Access[]): Access {
  return (['write', 'report', 'read'] as const).find((access) => accesses.includes(access)) ?? 'none';
}

/** Returns the access that an endpoint needs: the rights of its handler, and those to look up the token of its caller. */
export function accessOf({ method, rights, audience = 'admin', calls = [] }: Declaration): Access {
  if (rights === 'calls') return accessOfAll(['read', ...calls.map(({ declaration }) => accessOf(declaration))]);
  if (rights === 'none') return audience === 'public' ? 'none' : 'read';
  if (rights === 'count') return isOfSdks({ audience }) ? 'report' : 'write';
  return method === 'GET' || rights === 'read' ? 'read' : 'write';
}

export interface RolesProps {
  readonly table: StoreTable;
  /** The log group that the functions of these roles share. */
  readonly logGroup: ILogGroup;
  readonly settings: Pick<StackSettings, 'emailSender' | 'smtpParameter'>;
}

/**
 * Creates a role for each kind of access, and another one if the function also sends mail. The functions of a folder share
 * roles and a log group.
 */
export class Roles extends Construct {
  readonly #props: RolesProps;
  readonly #roles = new Map<string, Role>();

  constructor(scope: Construct, id: string, props: RolesProps) {
    super(scope, id);
    this.#props = props;
  }

  /** Returns the role for a function with this access to the table. */
  roleFor(access: Access, { sendsMail = false }: { readonly sendsMail?: boolean } = {}): IRole {
    const mails = sendsMail && this.#props.settings.emailSender !== undefined;
    const name = mails ? `${access}AndMail` : access;
    return this.#roles.get(name) ?? this.#create(name, access, mails);
  }

  #create(name: string, access: Access, mails: boolean): Role {
    const { table, logGroup, settings } = this.#props;
    const role = new Role(this, name, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.#roles.set(name, role);
    if (mails) allowMails(role, settings);
    logGroup.grantWrite(role);
    for (const { actions, conditions } of allowed[access]) table.grant(role, actions, conditions);
    return role;
  }
}
