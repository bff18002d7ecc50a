/** A browser knows no host name; a strategy by host names matches nobody in a preview. */
export const hostname = (): string => '';
