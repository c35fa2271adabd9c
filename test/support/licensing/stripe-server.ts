/**
 * A server that speaks the parts of Stripe's protocol that Daybook uses (https://docs.stripe.com/api):
 * form-encoded requests, JSON answers, idempotency keys, declines as 402, signed notices. Each card has a
 * fixed outcome.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'

/** The outcome of a charge. */
export type Card = 'pays' | 'is declined' | 'wants its owner' | 'takes its time'

type Fields = Record<string, any>

interface Asked {
  readonly method: string
  readonly path: string
  readonly fields: Fields
  readonly idempotencyKey: string | undefined
}

const SIGNING_SECRET = `whsec_${randomBytes(24).toString('hex')}`
const stripe = new Stripe('sk_test_of_nobody')

const id = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`

/** `a[b][0][c]=d` is `{ a: { b: { 0: { c: 'd' } } } }`. */
function nested(form: URLSearchParams): Fields {
  const fields: Fields = {}
  for (const [name, value] of form) {
    const steps = name.split(/[[\]]+/).filter((step) => step !== '')
    const last = steps.pop()!
    let place = fields
    for (const step of steps) place = place[step] ??= {}
    place[last] = value
  }
  return fields
}

class Refused extends Error {
  readonly status: number
  readonly error: Fields
  constructor(status: number, error: Fields) {
    super(error['message'])
    this.status = status
    this.error = error
  }
}

export async function stripeServer() {
  const objects = new Map<string, Fields>()
  const answers = new Map<string, { hash: string; status: number; body: Fields }>()
  const asked: Asked[] = []
  const cards = new Map<string, Card>()
  let isDown = false
  let toLose = 0

  const keep = (object: Fields): Fields => {
    objects.set(object['id'], object)
    return object
  }

  function get(ref: string): Fields {
    const object = objects.get(ref)
    if (!object)
      throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' })
    return object
  }

  /** Newest first. */
  function listOf(kind: string, isWanted: (object: Fields) => boolean): Fields {
    const found = [...objects.values()].filter((object) => object['object'] === kind && isWanted(object))
    return { object: 'list', has_more: false, data: found.toReversed() }
  }

  /** Charges a card. @throws Refused 402 as Stripe answers a decline */
  function charged(fields: Fields): Fields {
    const card = cards.get(fields['payment_method']) ?? 'pays'
    const status = { pays: 'succeeded', 'takes its time': 'processing' }[card as string] ?? 'requires_payment_method'
    const code = card === 'wants its owner' ? 'authentication_required' : 'card_declined'
    const refusal = { type: 'card_error', code, decline_code: 'insufficient_funds', message: 'Your card was declined.' }
    const isRefused = status === 'requires_payment_method'
    const intent = keep({
      id: id('pi'),
      object: 'payment_intent',
      amount: Number(fields['amount']),
      amount_received: status === 'succeeded' ? Number(fields['amount']) : 0,
      currency: fields['currency'],
      customer: fields['customer'],
      payment_method: fields['payment_method'],
      metadata: fields['metadata'] ?? {},
      status,
      last_payment_error: isRefused ? refusal : null,
    })
    if (isRefused) throw new Refused(402, { ...refusal, payment_intent: intent })
    return intent
  }

  function refunded(fields: Fields): Fields {
    const intent = get(fields['payment_intent'])
    const before = [...objects.values()].filter(
      ({ object, payment_intent: of, status }) => object === 'refund' && of === intent['id'] && status !== 'failed',
    )
    const left = before.reduce((sum, refund) => sum - refund['amount'], intent['amount_received'])
    if (Number(fields['amount']) > left)
      throw new Refused(400, { type: 'invalid_request_error', code: 'charge_already_refunded', message: 'Too much' })
    return keep({
      id: id('re'),
      object: 'refund',
      amount: Number(fields['amount']),
      currency: intent['currency'],
      payment_intent: intent['id'],
      metadata: fields['metadata'] ?? {},
      status: cards.get('refund') === 'takes its time' ? 'pending' : 'succeeded',
    })
  }

  function opened(fields: Fields): Fields {
    const session = id('cs')
    return keep({
      id: session,
      object: 'checkout.session',
      mode: fields['mode'],
      url: `https://checkout.stripe.test/${session}`,
      status: 'open',
      currency: fields['currency'] ?? fields['line_items']?.[0]?.price_data?.currency,
      amount_total: Number(fields['line_items']?.[0]?.price_data?.unit_amount ?? 0),
      customer: null,
      customer_email: fields['customer_email'],
      metadata: fields['metadata'] ?? {},
      payment_intent: null,
      setup_intent: null,
      expires_at: Number(fields['expires_at']),
      intent_metadata: fields['payment_intent_data']?.metadata ?? fields['setup_intent_data']?.metadata ?? {},
    })
  }

  function expanded(session: Fields): Fields {
    const of = (name: string) => (session[name] === null ? null : get(session[name]))
    return { ...session, payment_intent: of('payment_intent'), setup_intent: of('setup_intent') }
  }

  function answer({ method, path, fields }: Asked): Fields {
    const line = `${method} ${path.replace(/(cs|pi|re|dp)_\w+/, ':id')}`
    const ref = path.split('/').find((step) => /^(cs|pi|re|dp)_/.test(step)) ?? ''
    const known: Record<string, () => Fields> = {
      'POST /v1/checkout/sessions': () => opened(fields),
      'GET /v1/checkout/sessions/:id': () => expanded(get(ref)),
      'POST /v1/checkout/sessions/:id/expire': () => Object.assign(get(ref), { status: 'expired' }),
      'POST /v1/payment_intents': () => charged(fields),
      'GET /v1/payment_intents/:id': () => get(ref),
      'GET /v1/payment_intents': () => listOf('payment_intent', ({ customer }) => customer === fields['customer']),
      'POST /v1/refunds': () => refunded(fields),
      'GET /v1/refunds/:id': () => get(ref),
      'GET /v1/refunds': () => listOf('refund', ({ payment_intent: of }) => of === fields['payment_intent']),
      'GET /v1/disputes/:id': () => ({ ...get(ref), payment_intent: get(get(ref)['payment_intent']) }),
    }
    const answering = known[line]
    if (!answering) throw new Refused(404, { type: 'invalid_request_error', message: `Unrecognized: ${line}` })
    return answering()
  }

  function remembered(ask: Asked, text: string): { status: number; body: Fields } {
    const hash = createHash('sha256')
      .update(ask.path + text)
      .digest('hex')
    const key = ask.idempotencyKey
    const before = key === undefined ? undefined : answers.get(key)
    if (before && before.hash !== hash)
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'Keys belong to one request' } } }
    if (before) return before
    let answered: { status: number; body: Fields }
    try {
      answered = { status: 200, body: answer(ask) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      answered = { status: error.status, body: { error: error.error } }
    }
    if (key !== undefined) answers.set(key, { hash, ...answered })
    return answered
  }

  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { pathname: path, searchParams } = new URL(request.url!, 'http://stripe.test')
      const text = Buffer.concat(pieces).toString()
      const key = request.headers['idempotency-key']
      const ask: Asked = {
        method: request.method!,
        path,
        fields: nested(text === '' ? searchParams : new URLSearchParams(text)),
        idempotencyKey: typeof key === 'string' ? key : undefined,
      }
      asked.push(ask)
      const { status, body } = isDown ? { status: 0, body: {} } : remembered(ask, text)
      const isLost = toLose > 0 && ask.method === 'POST'
      if (isLost) toLose -= 1
      if (status === 0 || isLost) {
        response.destroy()
        return
      }
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  /** A notice as Stripe sends it. @param signedAt the time of the signature, by default now */
  function notice(type: string, object: Fields, { eventId = id('evt'), signedAt = new Date(), livemode = false } = {}) {
    const about = { object: 'event', api_version: '2026-01-01', livemode, type, data: { object } }
    const raw = JSON.stringify({ id: eventId, ...about })
    const timestamp = Math.floor(signedAt.getTime() / 1_000)
    const signature = stripe.webhooks.generateTestHeaderString({ payload: raw, secret: SIGNING_SECRET, timestamp })
    return { raw, headers: { 'stripe-signature': signature } }
  }

  return {
    settings: {
      secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
      webhookSecret: SIGNING_SECRET,
      apiBase: new URL(`http://127.0.0.1:${port}`),
    },
    asked: (line: string) => asked.filter(({ method, path }) => `${method} ${path}` === line),
    object: get,
    objects: (kind: string) => [...objects.values()].filter(({ object }) => object === kind),
    /** Sets the outcome of charges to a means of payment, or of a 'refund'. */
    card: (method: string, becomes: Card) => void cards.set(method, becomes),
    /** The customer completes the page. @returns the session after that */
    pay(ref: string): Fields {
      const session = get(ref)
      const customer = id('cus')
      const method = id('pm')
      const intent = {
        amount: session['amount_total'],
        currency: session['currency'],
        customer,
        payment_method: method,
      }
      const metadata = session['intent_metadata']
      if (session['mode'] === 'setup')
        session['setup_intent'] = keep({ id: id('seti'), object: 'setup_intent', payment_method: method, metadata })[
          'id'
        ]
      else session['payment_intent'] = charged({ ...intent, metadata })['id']
      return Object.assign(session, { status: 'complete', customer })
    },
    expire: (ref: string): Fields => Object.assign(get(ref), { status: 'expired' }),
    /** Completes a charge that was pending. */
    finish: (ref: string, status: 'succeeded' | 'requires_payment_method'): Fields => {
      const intent = get(ref)
      return Object.assign(intent, { status, amount_received: status === 'succeeded' ? intent['amount'] : 0 })
    },
    finishRefund: (ref: string, status: 'succeeded' | 'failed'): Fields => Object.assign(get(ref), { status }),
    /** The customer's bank disputes a charge, inquires about it, or decides. */
    dispute: (intent: string, more: Fields = {}): Fields => {
      const { id: of, amount_received: amount, currency } = get(intent)
      const before = [...objects.values()].find(({ object, payment_intent: its }) => object === 'dispute' && its === of)
      const dispute =
        before ?? keep({ id: id('dp'), object: 'dispute', payment_intent: of, amount, currency, metadata: {} })
      return Object.assign(
        dispute,
        { reason: 'fraudulent', status: 'needs_response', is_charge_refundable: false },
        more,
      )
    },
    down: (is: boolean) => void (isDown = is),
    /** Idempotency keys are kept for a day. */
    forgetKeys: () => answers.clear(),
    /** The next answers to changes are lost, but the changes are made. */
    lose: (answers: number) => void (toLose = answers),
    notice,
    stop: () => new Promise<void>((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  }
}
