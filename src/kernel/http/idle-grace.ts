/** In its own file so that other tests can replace it with a shorter time. */

/**
 * A keep-alive connection looks idle while its next request is on the network. That request is still
 * answered, with `Connection: close`, for this long after the server began to close.
 */
export const IDLE_GRACE_MS: number = 500
