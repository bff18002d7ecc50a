/** A refusal in the words of DynamoDB's protocol. */
export class StoreError extends Error {
  readonly status: number;
  /** Further members of the answer. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(name: string, message: string, details: Readonly<Record<string, unknown>> = {}, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
    this.details = details;
  }
}

export function badRequest(message: string): StoreError {
  return new StoreError('ValidationException', message);
}
