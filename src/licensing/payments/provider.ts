/** The port to whoever takes money from cards and accounts. Manual invoicing needs none: staff record what has arrived. */
import { serviceKey } from '#kernel/lib/services'
import { reject } from '#kernel/lib/rejection'
import type { ReportedDispute } from './decider.ts'

export interface CheckoutPageRequest {
  readonly paymentId: string
  /** In minor units; 0: only a means of payment is wanted, for when a trial ends. */
  readonly amount: number
  readonly currency: string
  /** What the customer reads there. */
  readonly description: string
  readonly email: string
  readonly returnUrl: string
  readonly cancelUrl: string
  /** From when on the page takes no payment any more. */
  readonly expiresAt: Date
}

export interface ChargeRequest {
  readonly paymentId: string
  /** From 1. An attempt that is asked for again is the same attempt. */
  readonly attempt: number
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly customerRef: string
  readonly methodRef: string
}

export interface RefundRequest {
  readonly paymentId: string
  readonly refundId: string
  /** Of the charge. */
  readonly providerRef: string
  readonly amount: number
}

/** What a provider says about one of our payments at the moment that it is asked. */
export type ProviderReport =
  | {
      readonly what: 'paid'
      readonly paymentId: string
      readonly amount: number
      readonly currency: string
      /** Of the charge. */
      readonly ref: string | null
      /** By what is charged from now on; undefined: it may not be. */
      readonly billing?: { readonly customerRef: string; readonly methodRef: string } | undefined
    }
  | { readonly what: 'failed'; readonly paymentId: string; readonly attempt: number; readonly code: string }
  | { readonly what: 'expired'; readonly paymentId: string }
  | { readonly what: 'refunded'; readonly paymentId: string; readonly refundId: string; readonly ref: string }
  | { readonly what: 'refundFailed'; readonly paymentId: string; readonly refundId: string; readonly code: string }
  | {
      readonly what: 'disputed'
      readonly paymentId: string
      /** Of the charge, which may have been recorded as another payment. */
      readonly ref: string
      readonly dispute: ReportedDispute
    }

/** Something has happened to an object; what, is asked of the provider, so that notices may come late, twice and in any order. */
export interface ProviderNotice {
  readonly id: string
  readonly kind: string
  /** Of the object; undefined: nothing of ours. */
  readonly ref: string | undefined
}

/** Every method @throws ProviderUnavailable when nobody can tell whether it was done: asked again, it is done once. */
export interface PaymentProvider {
  readonly name: string
  createCheckout(ask: CheckoutPageRequest): Promise<{ readonly ref: string; readonly url: string }>
  /** Nobody can pay there any more. What is paid already stays so. */
  closeCheckout(ref: string): Promise<void>
  /** While the customer is not there. @returns undefined while the provider does not know yet */
  charge(ask: ChargeRequest): Promise<ProviderReport | undefined>
  refund(ask: RefundRequest): Promise<ProviderReport | undefined>
  /** @param signature the header that the provider signs with. @throws Rejection 400 for what it has not signed, or long ago */
  verifyWebhook(body: Buffer, signature: string | undefined, now: Date): ProviderNotice
  /** @returns undefined for what is not ours, or not decided yet */
  fetchReport(ref: string): Promise<ProviderReport | undefined>
}

export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** For whoever can do without the answer. */
export function ignoreOutage(error: unknown): undefined {
  if (!(error instanceof ProviderUnavailable)) throw error
}

/** For whoever is waiting for an answer. @throws Rejection 503 where the provider gave none */
export async function requireProviderAnswer<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    return reject('unavailable', 'The payment provider does not answer', 'PROVIDER_UNAVAILABLE', {
      'Retry-After': '30',
    })
  }
}

/** Undefined: this installation only sends invoices. */
export const paymentProvider = serviceKey<PaymentProvider | undefined>('payment provider', undefined)

/** Who invoices are from: name, address, tax number, one a line. Empty: the installation's address stands there. */
export const invoiceSeller = serviceKey<readonly string[]>('invoice seller', [])
