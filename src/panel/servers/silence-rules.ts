/** How long an agent may be silent. Source: panel-hosts.md 3. */

/** How often agents tell how their hosts are. */
export interface Beats {
  readonly beatMs: number
}

/** In beats, and at least in ms. */
const STALE = { beats: 3, ms: 30_000 }
const OFFLINE = { beats: 9, ms: 90_000 }

const spanMs = ({ beats, ms }: typeof STALE, { beatMs }: Beats): number => Math.max(ms, beats * beatMs)

/** A longer silence of its agent makes a server STALE. */
export const staleMs = (beats: Beats): number => spanMs(STALE, beats)

/** A longer one is noted as an event. */
export const offlineMs = (beats: Beats): number => spanMs(OFFLINE, beats)
