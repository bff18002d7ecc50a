/** Opens a local server that was given no other token. It stands in everybody's copy of this file, hence its name. */
export const insecureLocalToken = '*:*.flagstaff-insecure-local-token';
