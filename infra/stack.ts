import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { buildName } from '../lib/http/version.ts';
import { createAlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { keepChoices } from './choices.ts';
import { addClock } from './clock.ts';
import { createDashboard } from './dashboard.ts';
import { type DeployedEndpoint, listEndpoints } from './deployed-endpoints.ts';
import { addEndpoints } from './endpoints.ts';
import { PreparedStore } from './prepared-store.ts';
import { addSending } from './sending.ts';
import { settingsOf } from './settings.ts';
import { addTable } from './table.ts';

export interface FlagstaffStackProps {
  /** The directory that `bundle` wrote. */
  readonly bundles: string;
  /** The deployed endpoints; all of the registry by default. */
  readonly endpoints?: readonly DeployedEndpoint[];
}

/** The service: a table, an HTTP API, and a nested stack of functions for each folder of endpoints. */
export class FlagstaffStack extends Stack {
  constructor(scope: Construct, id: string, { bundles, endpoints = listEndpoints() }: FlagstaffStackProps) {
    super(scope, id, { description: 'Flagstaff, a feature-flag service' });
    keepChoices(this);
    const settings = settingsOf(this, this.stackName);
    for (const [name, value] of Object.entries(settings.tags)) {
      // The tags of resources are in their templates, so that `cdk diff` shows them.
      Tags.of(this).add(name, value);
      this.tags.setTag(name, value);
    }
    if (settings.permissionsBoundary !== undefined) {
      const boundary = ManagedPolicy.fromManagedPolicyName(this, 'Boundary', settings.permissionsBoundary);
      PermissionsBoundary.of(this).apply(boundary);
    }
    const table = addTable(this, settings);

    const api = new Api(this, 'Api', settings);
    const folders = addEndpoints(this, { endpoints, bundles, api, table, settings });
    const sending = addSending(this, { bundles, table, settings, api });
    const clock = addClock(this, { bundles, table, settings, api });
    const after = [...folders, ...sending, clock];
    new PreparedStore(this, 'PreparedStore', { table, bundles, settings, after });

    const topic = createAlarmTopic(this, 'AlarmTopic', settings);
    new Alarms(this, 'Alarms', { api, table, topic, settings });
    createDashboard(this, 'Dashboard', { api: api.http, table, stackName: this.stackName, settings });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'Version', { value: buildName() });
  }
}
