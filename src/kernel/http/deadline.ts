/** How long a body may take to come. Node knows one time for all requests; uploads take longer, and are let in first. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { announcesBody } from './bytes.ts'

const BODY_MS = 10_000

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** @param onLate told of a request whose body did not come in time */
export function withDeadline(serve: RequestListener, onLate: (request: IncomingMessage) => void): RequestListener {
  return (request, response) => {
    if (announcesBody(request)) {
      const timer = setTimeout(() => (request.complete ? undefined : onLate(request)), BODY_MS)
      timers.set(request, timer)
      for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
    }
    serve(request, response)
  }
}

/** For a body whose sender is known, and who still has to send something every minute. */
export const liftDeadline = (request: IncomingMessage): void => clearTimeout(timers.get(request))
