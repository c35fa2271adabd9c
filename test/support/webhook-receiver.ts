/** A receiver of webhooks: keeps the requests and answers as the test demands. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'

export interface ReceivedWebhook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: any
  /** `webhook-id`. */
  readonly id: string
}

/** A status, or a function that handles the response. */
export type WebhookResponder = (heard: ReceivedWebhook) => number | ((response: ServerResponse) => void)

export interface WebhookReceiver {
  readonly url: string
  readonly heard: readonly ReceivedWebhook[]
  /** The number of connections, including those without a request. */
  connections(): number
  /** By default it answers 204. */
  answer(manners: WebhookResponder): void
  /** The received webhooks of a type, in order. */
  told(type: string): readonly ReceivedWebhook[]
  close(): Promise<void>
}

export async function webhookReceiver(host = '127.0.0.1', port = 0): Promise<WebhookReceiver> {
  const heard: ReceivedWebhook[] = []
  let connections = 0
  let manners: WebhookResponder = () => 204
  const server = createServer((request, response) => {
    response.on('error', () => {})
    void hear(request, response)
  })
  async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const json = body.startsWith('{') ? JSON.parse(body) : undefined
    const { url = '', headers } = request
    const one = { path: url, headers, body, json, id: String(headers['webhook-id']) }
    heard.push(one)
    const answer = manners(one)
    if (typeof answer === 'function') answer(response)
    else response.writeHead(answer).end()
  }
  server.on('connection', () => (connections += 1))
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    heard,
    connections: () => connections,
    answer: (next) => void (manners = next),
    told: (type) => heard.filter(({ json }) => json?.type === type),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
