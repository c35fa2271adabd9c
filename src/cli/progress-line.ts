/** `5000 of 20000 events (25 %), 1000/s, 15 s left`: in `seconds` it has come as far as `position` of `head`. */
export function progressLine(position: number, head: number, seconds: number): string {
  const percent = Math.floor((Math.min(position, head) / Math.max(head, 1)) * 100)
  const done = `${position} of ${head} events (${percent} %)`
  const perSecond = position / seconds
  if (!Number.isFinite(perSecond) || perSecond < 1) return done
  const left = Math.ceil(Math.max(0, head - position) / perSecond)
  return `${done}, ${Math.round(perSecond)}/s, ${left} s left`
}
