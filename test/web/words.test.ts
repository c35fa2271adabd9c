import { expect, test } from 'vitest'
import { labelOf, wordOf } from '../../src/web/kit/words.ts'

test.each([
  ['currentPeriodEnd', 'Current period end'],
  ['customerId', 'Customer ID'],
  ['allowedIps', 'Allowed IPs'],
  ['machine-token', 'Machine token'],
  ['servers.max', 'Servers max'],
  ['otpauthUrl', 'Otpauth URL'],
  ['tls', 'TLS'],
  ['dnsNames', 'DNS names'],
])('the field %s is called “%s”', (name, label) => {
  expect(labelOf(name)).toBe(label)
})

test.each([
  ['PAST_DUE', 'Past due'],
  ['licenses:view', 'licenses:view'],
  ['subject', 'subject'],
  ['true', 'Yes'],
])('the value %s is shown as “%s”', (value, word) => {
  expect(wordOf(value)).toBe(word)
})
