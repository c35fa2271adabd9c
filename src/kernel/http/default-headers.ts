/**
 * Headers of every response, including errors and responses to malformed requests. They do not depend
 * on the request.
 */

const HSTS_SECONDS = 63_072_000

export function defaultHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    ...(baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` } : {}),
  }
}
