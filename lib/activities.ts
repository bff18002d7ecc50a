/** Work whose duration and outcome tell operators how a process is doing. */
export interface Activity<T = unknown> {
  readonly kind: ActivityKind;
  /** One of few names, such as `Query`: operators see numbers for each of them. */
  readonly name: string;
  /** Returns the outcome of a result, one of few words; without this function, every result is a success. */
  readonly outcomeOf?: (result: T) => string;
}

/** The kinds of activities, each with the meaning of their names. */
export type ActivityKind =
  /** One attempt of a request; the operation of DynamoDB. */
  | 'store request'
  /** The comparison of a snapshot with the store. */
  | 'snapshot check'
  /** A request to the receiver of an integration; the provider. */
  | 'delivery'
  /** Sending the events of a change to all integrations. */
  | 'sending'
  /** Handing a mail to the mail server. */
  | 'mail'
  /** The application of a scheduled change request. */
  | 'scheduled change'
  /** A round of work that nobody waits for; its subject. */
  | 'background work';

/** Carries out an activity and observes it. It returns its result or throws its error, unchanged. */
export type ActivityObserver = <T>(activity: Activity<T>, run: () => Promise<T>) => Promise<T>;

let observer: ActivityObserver | undefined;

/** Sets the observer of all activities of this process; undefined removes it. Lambda functions have none. */
export function observeActivities(next: ActivityObserver | undefined): void {
  observer = next;
}

/** Carries out an activity. If the process has an observer, that learns how long it took and how it ended. */
export function carryOut<T>(activity: Activity<T>, run: () => Promise<T>): Promise<T> {
  return observer === undefined ? run() : observer(activity, run);
}
