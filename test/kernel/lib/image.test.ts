/** The type of a picture is decided by its content. */
import { describe, expect, test } from 'vitest'
import { imageOf } from '#kernel/lib/image-type'
import { jpeg, png, webp } from '../../support/kernel/image-fixtures.ts'

describe('pictures', () => {
  test.each([
    ['image/png', png(64, 32)],
    ['image/jpeg', jpeg(64, 32)],
    ['image/webp', webp.lossy(64, 32)],
    ['image/webp', webp.lossless(64, 32)],
    ['image/webp', webp.extended(64, 32)],
  ])('%s tells its type and size', (type, bytes) => {
    expect(imageOf(bytes)).toEqual({ type, width: 64, height: 32 })
  })

  test.each([png, jpeg, webp.lossy, webp.lossless, webp.extended])('no side is nothing, none is enormous', (make) => {
    expect(imageOf(make(8_192, 1))).toBeDefined()
    expect(imageOf(make(8_193, 1))).toBeUndefined()
    expect(imageOf(make(1, 8_193))).toBeUndefined()
  })

  test('a picture of no size is none', () => {
    for (const make of [png, jpeg, webp.lossy]) expect(imageOf(make(0, 1))).toBeUndefined()
  })
})

test.each([
  ['nothing', ''],
  ['text', 'a picture'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['SVG with a declaration', '<?xml version="1.0"?><svg/>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['GIF', 'GIF89a\x01\x00\x01\x00\x80\x00\x00'],
  ['PDF', '%PDF-1.7'],
])('%s is no picture of ours', (_what, text) => {
  expect(imageOf(Buffer.from(text, 'latin1'))).toBeUndefined()
})

test('what begins like a picture and goes on otherwise is none', () => {
  for (const make of [png, jpeg, webp.lossy, webp.lossless, webp.extended]) {
    const bytes = make(64, 32)
    for (let length = 0; length < 21; length += 1) expect(imageOf(bytes.subarray(0, length))).toBeUndefined()
  }
  const spoilt = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes)
    copy[at]! ^= 0xff
    return copy
  }
  expect(imageOf(spoilt(png(64, 32), 12))).toBeUndefined()
  expect(imageOf(spoilt(webp.lossy(64, 32), 23))).toBeUndefined()
  expect(imageOf(spoilt(webp.lossless(64, 32), 20))).toBeUndefined()
  expect(imageOf(spoilt(webp.extended(64, 32), 12))).toBeUndefined()
})

test('bytes of any kind are looked at to an end', () => {
  const endless = Buffer.alloc(100_000, 0xff)
  endless.writeUInt16BE(0xffd8, 0)
  expect(imageOf(endless)).toBeUndefined()
  const empty = Buffer.from('ffd8ffe00000', 'hex')
  expect(imageOf(Buffer.concat([empty, empty, empty]))).toBeUndefined()
})
