/** An invoice as a PDF. The same invoice always gives the same bytes. */
import type { InvoiceRow } from '#projections/licensing/payments'
import { formatAmount } from '../payments/money.ts'

const MARGIN = 56
const WIDTH = 595 - 2 * MARGIN
const RIGHT = { width: WIDTH, align: 'right' } as const
/** The characters of the standard PDF fonts (Windows-1252; WinAnsiEncoding in PDF 32000-1). */
const SHOWABLE = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/u

export type PrintableInvoice = Omit<InvoiceRow, 'customerId' | 'subscriptionId' | 'paymentId'>

/** @param invoice with opened fields: sealed texts would be printed as they are */
export async function invoicePdf(invoice: PrintableInvoice): Promise<Buffer> {
  const { number, kind, issuedAt } = invoice
  const on = new Date(issuedAt)
  // Loaded with the first invoice, because its fonts and their compression take about 10 MiB.
  const { default: Pdf } = await import('pdfkit')
  const title = kind === 'INVOICE' ? `Invoice ${number}` : `Credit note ${number}`
  const document = new Pdf({
    size: 'A4',
    margin: MARGIN,
    info: { Title: title, Creator: 'Daybook', Producer: 'Daybook', CreationDate: on, ModDate: on },
  })
  const pieces: Buffer[] = []
  const ended = new Promise<void>((resolve, fail) => {
    document.on('data', (piece: Buffer) => pieces.push(piece))
    document.on('end', resolve)
    document.on('error', fail)
  })
  draw(document, title, invoice)
  document.end()
  await ended
  return Buffer.concat(pieces)
}

function draw(document: PDFKit.PDFDocument, title: string, invoice: PrintableInvoice): void {
  const write = (text: string, options: PDFKit.Mixins.TextOptions = {}) => document.text(printable(text), options)
  document.font('Helvetica').fontSize(10)
  for (const line of invoice.seller.split('\n')) write(line, RIGHT)
  document.moveDown(2)
  for (const line of buyerLines(invoice)) write(line)
  document.moveDown(2).font('Helvetica-Bold').fontSize(16)
  write(title)
  document.font('Helvetica').fontSize(10).moveDown(0.5)
  for (const line of factsOf(invoice)) write(line)
  document.moveDown(1.5)
  for (const { label, amount } of rowsOf(invoice)) row(document, label, formatAmount(amount, invoice.currency))
  document.moveDown(0.5).font('Helvetica-Bold')
  row(document, totalLabel(invoice), formatAmount(invoice.total, invoice.currency))
}

const buyerLines = ({ buyerCompany, buyerName, buyerEmail }: PrintableInvoice): string[] =>
  [buyerCompany, buyerName, buyerEmail].filter((line) => line !== null && line !== '') as string[]

const dayOf = (instant: string): string => instant.slice(0, 10)

const factsOf = ({ issuedAt, dueAt, corrects }: PrintableInvoice): string[] => [
  `Date: ${dayOf(issuedAt)}`,
  ...(corrects === null ? [] : [`For invoice ${corrects}`]),
  ...(dueAt === null ? [] : [`To be paid by ${dayOf(dueAt)}`]),
]

const rowsOf = ({ lines, credited }: PrintableInvoice) => [
  ...lines,
  ...(credited > 0 ? [{ label: 'Paid by credit', amount: -credited }] : []),
]

function totalLabel({ kind, dueAt }: PrintableInvoice): string {
  if (kind === 'CREDIT_NOTE') return 'Given back'
  return dueAt === null ? 'Paid' : 'To be paid'
}

/** The label on the left, the amount right-aligned on the label's first line. */
function row(document: PDFKit.PDFDocument, label: string, amount: string): void {
  const { y } = document
  document.text(printable(amount), MARGIN, y, RIGHT)
  document.text(printable(label), MARGIN, y, { width: WIDTH - 140 })
}

/** Characters outside the fonts lose their accents or become a question mark. */
const printable = (text: string): string =>
  Array.from(text.normalize('NFC').replaceAll(/\p{Cc}/gu, ' '), (sign) =>
    SHOWABLE.test(sign) ? sign : plain(sign),
  ).join('')

function plain(sign: string): string {
  const bare = sign.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return Array.from(bare, (each) => (SHOWABLE.test(each) ? each : '?')).join('')
}
