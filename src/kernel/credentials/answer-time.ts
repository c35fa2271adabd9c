/** In its own file so that other tests can replace it with a shorter time. */

/** Longer than either way to the answer takes on an idle machine, so that its duration reveals nothing (security.md A4). */
export const ANSWER_MS: number = 250
