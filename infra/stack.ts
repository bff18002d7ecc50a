import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { createDashboard } from './dashboard.ts';
import { type DeployedEndpoint, deployedEndpoints } from './deployed-endpoints.ts';
import { addEndpoints } from './endpoints.ts';
import { FirstToken } from './first-token.ts';
import { settingsOf } from './settings.ts';
import { createTable } from './table.ts';

export interface FlagstaffStackProps {
  /** The directory that `bundle` has written. */
  readonly bundles: string;
  /** Those of the registry, unless others are given. */
  readonly endpoints?: readonly DeployedEndpoint[];
}

/** The service: a table, and an HTTP API with a function for each endpoint of the registry. */
export class FlagstaffStack extends Stack {
  constructor(scope: Construct, id: string, { bundles, endpoints = deployedEndpoints() }: FlagstaffStackProps) {
    super(scope, id, { description: 'Flagstaff, the administration API of a feature-flag service' });
    const settings = settingsOf(this);
    const table = createTable(this, settings);
    new FirstToken(this, 'FirstToken', { table, bundles, settings });

    const api = new Api(this, 'Api', settings);
    const alarms = new AlarmTopic(this, 'AlarmTopic', settings);
    addEndpoints(this, { endpoints, bundles, api, table, alarmTopic: alarms.topic, settings });

    new Alarms(this, 'Alarms', { api: api.http, table, topic: alarms.topic, settings });
    createDashboard(this, 'Dashboard', { api: api.http, table, stackName: this.stackName, settings });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}
