import { providers } from '../../../lib/integrations/providers.ts';
import { storeOutcomes } from '../../../lib/store/client/exceptions.ts';
import { CounterFamily, GaugeFamily, HistogramFamily } from './families.ts';

/** Upper bounds in seconds for requests of callers and to the store: most take less than 5 ms. */
const shortBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The same for requests to the receivers of integrations, which are given up after 15 s. */
const longBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** The operations of DynamoDB that the service uses, which are counted apart. */
export const countedOperations = [
  'BatchGetItem',
  'BatchWriteItem',
  'Query',
  'Scan',
  'TransactWriteItems',
  'UpdateItem',
] as const;
const storeOperations = [...countedOperations, 'other'] as const;

/** The results of attempts to send an event; the last two are of events that were not sent. */
const deliveryResults = ['taken', 'retry', 'refused', 'paused', 'held_back', 'given_up'] as const;

export type DeliveryResult = (typeof deliveryResults)[number];

/** The numbers of this process, in the order in which they are printed. infra/monitoring/README.md explains each. */
export const metrics = {
  requests: new CounterFamily('flagstaff_http_requests_total', 'Answered requests.', {
    method: 'any',
    route: 'any',
    status: 'any',
  }),
  requestDurations: new HistogramFamily(
    'flagstaff_http_request_duration_seconds',
    'Time from the arrival of a request to its answer.',
    { method: 'any', route: 'any' },
    shortBounds,
  ),
  polls: new CounterFamily('flagstaff_polls_total', 'Requests of SDKs for flags or for evaluations.', {
    api: ['client', 'frontend', 'ofrep'],
    result: ['full', 'unchanged', 'refused', 'failed'],
  }),
  streams: new GaugeFamily('flagstaff_streams_open', 'Open streams of SDKs.'),
  streamsLimit: new GaugeFamily(
    'flagstaff_streams_limit',
    'The most streams that this process opens; 0 if it opens none.',
  ),
  snapshotChecks: new CounterFamily(
    'flagstaff_snapshot_checks_total',
    'Comparisons of the flags in memory with the store.',
    { result: ['changed', 'unchanged', 'stale', 'failed'] },
  ),
  snapshotCheckDurations: new HistogramFamily(
    'flagstaff_snapshot_check_duration_seconds',
    'Time of a comparison of the flags in memory with the store.',
    {},
    shortBounds,
  ),
  storeRequests: new CounterFamily('flagstaff_store_requests_total', 'Requests to the store, with each repetition.', {
    operation: storeOperations,
    result: storeOutcomes,
  }),
  storeDurations: new HistogramFamily(
    'flagstaff_store_request_duration_seconds',
    'Time of a request to the store.',
    { operation: storeOperations },
    shortBounds,
  ),
  storeFiles: new GaugeFamily('flagstaff_store_file_bytes', 'Size of the files of the embedded store.'),
  deliveries: new CounterFamily(
    'flagstaff_deliveries_total',
    'Attempts to send events to integrations, and given up events.',
    { provider: providers.map(({ name }) => name), result: deliveryResults },
  ),
  deliveryDurations: new HistogramFamily(
    'flagstaff_delivery_duration_seconds',
    'Time of an attempt to send an event to an integration.',
    { provider: providers.map(({ name }) => name) },
    longBounds,
  ),
  waitingIntegrations: new GaugeFamily(
    'flagstaff_integrations_waiting',
    'Integrations with events that wait for a retry.',
  ),
  pausedIntegrations: new GaugeFamily(
    'flagstaff_integrations_paused',
    'Integrations that send nothing until somebody saves them again.',
  ),
  mails: new CounterFamily('flagstaff_mails_total', 'Mails that were handed to the mail server.', {
    result: ['sent', 'failed'],
  }),
  scheduledChanges: new CounterFamily('flagstaff_scheduled_changes_total', 'Due change requests.', {
    result: ['applied', 'refused', 'failed'],
  }),
  backgroundRuns: new CounterFamily('flagstaff_background_runs_total', 'Rounds of work that no caller waits for.', {
    work: ['integrations', 'schedules', 'reports'],
    result: ['done', 'failed'],
  }),
  build: new GaugeFamily('flagstaff_build_info', 'The version and the commit of this process; the value is 1.'),
} as const;
