/** In its own file so that other tests can replace it. */

/** Whether the documents are made at the start, so that no request waits for it (some 0.3 s), or when one is first asked for. */
export const MADE_AT_START: boolean = true
