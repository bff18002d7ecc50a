/** Tells whether the store refused a request because its sender has no right to make it: a relay may only read. */
export function isDenied(error: unknown): boolean {
  return error instanceof Error && error.name === 'AccessDeniedException';
}

/** Tells whether the store will never take a request as it is, such as one by which an item would become too large. */
export function isRefused(error: unknown): boolean {
  return isDenied(error) || (error instanceof Error && error.name === 'ValidationException');
}
