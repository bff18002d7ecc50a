/** Lets the page draw before the rest goes on. */
export const setImmediate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
