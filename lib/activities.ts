/** Work whose duration and outcome tell operators how a process is doing. */
export interface Activity<T = unknown> {
  readonly kind: ActivityKind;
  /** One of few names, such as `Query`, since operators see numbers for each name. */
  readonly name: string;
  /** Returns the outcome of a result, one of few words. Without this function, every result is a success. */
  readonly outcomeOf?: (result: T) => string;
}

/** The kinds of activities. Where names differ within a kind, the end of its comment tells what they are. */
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

/** Carries out an activity and observes it. Returns its result or throws its error, unchanged. */
export type ActivityObserver = <T>(activity: Activity<T>, run: () => Promise<T>) => Promise<T>;

let observer: ActivityObserver | undefined;

/** Sets the observer of all activities of this process; undefined removes it. Lambda functions have none. */
export function observeActivities(next: ActivityObserver | undefined): void {
  observer = next;
}

/** Carries out an activity. If the process has an observer, it learns how long the activity took and how it ended. */
export function carryOut<T>(activity: Activity<T>, run: () => Promise<T>): Promise<T> {
  return observer === undefined ? run() : observer(activity, run);
}
