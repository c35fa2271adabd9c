/** The part of the package that is used here; it has no types. */
declare module 'autocannon' {
  export interface Request {
    method?: 'GET' | 'POST'
    path?: string
    headers?: Record<string, string>
    body?: string
    setupRequest?: (request: Request) => Request
  }

  export interface Result {
    requests: { average: number; total: number }
    /** In milliseconds. */
    latency: { p50: number; p99: number }
    duration: number
    errors: number
    timeouts: number
    non2xx: number
  }

  export default function autocannon(options: {
    url: string
    connections: number
    /** In seconds; alternatively a number of requests. */
    duration?: number
    amount?: number
    requests: Request[]
  }): Promise<Result>
}
