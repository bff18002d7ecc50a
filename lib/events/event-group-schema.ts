/** The kind of group of the events that a change request has made; their group is that and its id, as `change-request-7`. */
export const changeRequestGroup = 'change-request';
