/** A connection that stays open. */
export interface Connection {
  /** Sends bytes, or ends the connection if its client does not read. */
  send(bytes: Buffer): void;
  end(): void;
}

/** Begins to send events to a connection. Returns a function that the server calls when the connection has ended. */
export type EventStream = (connection: Connection) => () => void;
