/** The codes of JSON-RPC 2.0 and of MCP that are used here. */
const codes = {
  invalidParams: -32602,
  methodNotFound: -32601,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** A mistake of a client in a message of MCP. A mistake of a model in the arguments of a tool is a result instead. */
export class ProtocolError extends Error {
  readonly code: number;
  /** The HTTP status that the protocol requires for it. */
  readonly status: number;
  readonly data: unknown;

  constructor(kind: keyof typeof codes, message: string, { status = 200, data = undefined as unknown } = {}) {
    super(message);
    this.name = 'ProtocolError';
    this.code = codes[kind];
    this.status = status;
    this.data = data;
  }
}
