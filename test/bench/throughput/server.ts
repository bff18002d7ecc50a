import { type Address, send, sendAll, type TimedCall } from '../../harness/http-call.ts';
import type { ProcessTime } from './process-time.ts';

/** An environment that a project does not have yet. */
export interface FreeEnvironment {
  readonly project: string;
  readonly environment: string;
}

/** Preparation of a server for the work; none of it is timed. Servers differ in it, and in nothing else. */
export interface ServerPreparation {
  /** The largest import that the server takes. */
  readonly importBytesMax: number;
  /** Creates features that are off everywhere, without strategies. */
  createFeatures(names: readonly string[]): Promise<void>;
  /** Archives whatever features there are, so that SDKs get those only that are created afterwards. */
  archiveAll(): Promise<void>;
  switchOn(names: readonly string[]): Promise<void>;
  createUsers(usernames: readonly string[]): Promise<void>;
  /** Creates addons, and answers their ids. */
  createAddons(amount: number): Promise<number[]>;
  /** Returns as many environments as were asked for, or all that the server can offer at a time. */
  freeEnvironments(amount: number): Promise<FreeEnvironment[]>;
  /** Lets there be SAML settings to be read. */
  setSamlSettings(): Promise<void>;
  /** A project whose archive holds so many features. */
  archiveOf(amount: number): Promise<string>;
}

/** A server that is measured. */
export class MeasuredServer implements Address {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly preparation: ServerPreparation;
  /**
   * Returns the processor time that its processes have used so far; undefined on a platform that does not report it.
   */
  readonly processTime: () => ProcessTime | undefined;
  readonly #made: Map<string, Promise<unknown>>;

  constructor(
    { name, url, token }: Address & { name: string },
    preparation: ServerPreparation,
    processTime: () => ProcessTime | undefined,
    /** The server whose content this one serves, so that nothing is made twice. */
    upstream?: MeasuredServer,
  ) {
    this.name = name;
    this.url = url;
    this.token = token;
    this.preparation = preparation;
    this.processTime = processTime;
    this.#made = upstream === undefined ? new Map() : upstream.#made;
  }

  send(call: TimedCall): Promise<unknown> {
    return send(this, call);
  }

  sendAll(calls: readonly TimedCall[]): Promise<unknown[]> {
    return sendAll(this, calls);
  }

  /**
   * Returns the result of `make` from its first call under this name: for work that does not use up what it works on.
   */
  once<T>(what: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#made.get(what) as Promise<T> | undefined) ?? make();
    this.#made.set(what, made);
    return made;
  }
}
