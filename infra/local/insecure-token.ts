/** Opens a local server that was given no credential of anybody's own. Everybody has a copy of this file. */
export const insecureLocalToken = '*:*.flagstaff-insecure-local-token';
