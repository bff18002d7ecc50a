/** The token of a local server without any other credentials. It is public. */
export const insecureLocalToken = '*:*.flagstaff-insecure-local-token';
