/** Invoices: numbers without gaps, PDFs that name what was sold, kept when the customer is erased. */
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { invoicePdf } from '#licensing/adapters/invoice-pdf'
import type { PrintableInvoice } from '#licensing/adapters/invoice-pdf'
import { invoiceList, invoicePdfOf, invoicesOf } from '#licensing/workflows/billing/read-invoices'
import { storm } from '#test/support/storm'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const SELLER = ['Example GmbH', 'Street 1, 10115 Berlin', 'VAT DE123456789']
const service = await startService({ payments: { seller: SELLER } })
const { plan, provision, get, post } = await shopFixture(service)
const { read } = service.licensing
const { vault } = service.licensing

let number = 0
async function sold() {
  const { slug } = await plan({ priceMonthly: 1_999 })
  const email = `billed-${(number += 1)}@example.test`
  return (await provision({ email, planSlug: slug, billingCycle: 'MONTHLY', seats: 1 })).body
}
const pay = (id: string, amount = 1_999) =>
  post(`/api/admin/subscriptions/${id}/payments`, { amount, currency: 'EUR', method: 'BANK_TRANSFER' })
const invoices = async (customerId: string) => {
  await service.licensing.projector.catchUp()
  return (await invoicesOf({ read }, customerId, invoiceList.query.parse({}))).items
}
const textOf = async (pdf: Buffer): Promise<string> =>
  (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text

const example: PrintableInvoice = {
  id: '01890000-0000-7000-8000-0000000000f1',
  number: '2026-000042',
  kind: 'INVOICE',
  corrects: null,
  currency: 'EUR',
  lines: [
    { label: 'A period: pro, 3 seats, monthly', amount: 3_000 },
    { label: 'Unused time: basic, 1 seat, monthly', amount: -250 },
  ],
  credited: 750,
  total: 2_000,
  seller: SELLER.join('\n'),
  buyerName: 'Zoë Łukasz 山',
  buyerCompany: 'Buyer AG',
  buyerEmail: 'zoe@example.test',
  issuedAt: '2026-03-04T05:06:07.000Z',
  dueAt: '2026-03-18T05:06:07.000Z',
}

describe('the PDF of an invoice', () => {
  it('says who, what, how much and until when', async () => {
    const text = await textOf(await invoicePdf(example))
    for (const said of [
      ...SELLER,
      'Buyer AG',
      'zoe@example.test',
      'Invoice 2026-000042',
      'Date: 2026-03-04',
      'To be paid by 2026-03-18',
      'A period: pro, 3 seats, monthly',
      '30.00 EUR',
      '-2.50 EUR',
      'Paid by credit',
      '-7.50 EUR',
      'To be paid',
      '20.00 EUR',
    ])
      expect(text).toContain(said)
  })

  it('shows names as far as its letters go', async () => {
    expect(await textOf(await invoicePdf(example))).toMatch(/Zoë [?L]ukasz \?/)
  })

  it('is the same bytes whenever it is asked for', async () => {
    const first = await invoicePdf(example)
    await new Promise((resolve) => void setTimeout(resolve, 1_100))
    expect((await invoicePdf(example)).equals(first)).toBe(true)
  })

  it('of a hundred lines has pages', async () => {
    const lines = Array.from({ length: 100 }, (_none, nth) => ({ label: `Line ${nth}`, amount: 1 }))
    const document = await getDocumentProxy(new Uint8Array(await invoicePdf({ ...example, lines })))
    expect(document.numPages).toBeGreaterThan(1)
    expect((await extractText(document, { mergePages: true })).text).toContain('Line 99')
  })
})

describe('an invoice', () => {
  it('is made out for what was paid, and mailed', async () => {
    const { customer, subscription } = await sold()
    const { invoiceNumber } = (await pay(subscription.id)).body
    const [invoice] = await invoices(customer.id)
    expect(invoice).toMatchObject({ number: invoiceNumber, kind: 'INVOICE', total: 1_999, credited: 0, dueAt: null })
    await service.settle()
    const mail = service.mails.find(({ to }) => to === customer.email)!
    expect(mail.subject).toBe(`Invoice ${invoiceNumber}`)
    const [{ filename, contentType, content }] = mail.attachments as any
    expect([filename, contentType]).toEqual([`${invoiceNumber}.pdf`, 'application/pdf'])
    const { pdf } = await invoicePdfOf({ read, vault }, { customerId: customer.id, id: invoice!.id })
    expect(pdf.equals(content)).toBe(true)
    const text = await textOf(pdf)
    expect(text).toContain(`Invoice ${invoiceNumber}`)
    expect(text).toContain('19.99 EUR')
    expect(text).toContain(customer.email)
  })

  it('is corrected by a credit note for what is given back', async () => {
    const { customer, subscription } = await sold()
    const paid = (await pay(subscription.id)).body
    await post(`/api/admin/payments/${paid.id}/refund`, { amount: 500, reason: 'unhappy' })
    const [note, invoice] = await invoices(customer.id)
    expect(note).toMatchObject({ kind: 'CREDIT_NOTE', total: 500, corrects: invoice!.number })
    const text = await textOf((await invoicePdfOf({ read, vault }, { customerId: customer.id, id: note!.id })).pdf)
    expect(text).toContain(`Credit note ${note!.number}`)
    expect(text).toContain(`For invoice ${invoice!.number}`)
    expect(text).toContain('5.00 EUR')
  })

  it('is nobody else’s', async () => {
    const [one, other] = [await sold(), await sold()]
    await pay(one.subscription.id)
    const [invoice] = await invoices(one.customer.id)
    await expect(
      invoicePdfOf({ read, vault }, { customerId: other.customer.id, id: invoice!.id }),
    ).rejects.toMatchObject({
      statusCode: 404,
    })
  })

  it('has the next number, without gaps, whoever pays at once', { timeout: 120_000 }, async () => {
    const some = await Promise.all(Array.from({ length: 8 }, sold))
    const { replies } = await storm(80, (nth) => pay(some[nth % 8].subscription.id, 1 + nth))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const { rows } = await service.superuser.query('SELECT number FROM read.invoices ORDER BY number')
    const numbers = rows.map((row) => Number(row.number.split('-')[1]))
    expect(numbers).toEqual(Array.from(numbers, (_none, nth) => nth + 1))
  })

  it('outlives the customer, sealed with a key of its own', async () => {
    const { customer, subscription } = await sold()
    await pay(subscription.id)
    await service.settle()
    const [invoice] = await invoices(customer.id)
    expect((await post(`/api/admin/customers/${customer.id}/erase`, { confirmEmail: customer.email })).status).toBe(202)
    const { body } = await get(`/api/admin/customers/${customer.id}`)
    expect(body.email).toBe('ERASED')
    const text = await textOf((await invoicePdfOf({ read, vault }, { customerId: customer.id, id: invoice!.id })).pdf)
    expect(text).toContain(customer.email)
    expect(await service.dump()).not.toContain(customer.email)
    await vault.erase([`invoice/${invoice!.id}`])
    expect(
      await textOf((await invoicePdfOf({ read, vault }, { customerId: customer.id, id: invoice!.id })).pdf),
    ).not.toContain(customer.email)
  })
})
