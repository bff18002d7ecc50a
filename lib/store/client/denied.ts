/** Tells whether the store refused a request because its sender has no right to make it: a relay may only read. */
export function isDenied(error: unknown): boolean {
  return error instanceof Error && error.name === 'AccessDeniedException';
}
