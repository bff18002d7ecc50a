/** Opens a local server that was given no other token. Everybody has a copy of this file. */
export const insecureLocalToken = '*:*.flagstaff-insecure-local-token';
