/** Event types that are declared together, about one kind of subject. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'

const sealedForBook = ({ bookId }: { bookId: string }): string => `book/${bookId}`

const events = eventsAbout(
  { bookId: z.uuid() },
  sealedForBook,
)({
  BookLent: {
    fields: { title: sealed(z.string()), shelf: z.string(), hash: internal(z.string()) },
    sentence: ({ bookId, shelf }) => `lent ${bookId} of ${shelf}`,
  },
  BookReturned: { fields: {}, sentence: ({ bookId }) => `returned ${bookId}`, strict: true },
  BookNoted: {
    fields: { note: sealed(z.string()), noteId: z.uuid() },
    sentence: ({ noteId }) => `noted ${noteId}`,
    sealedFor: ({ noteId }) => `note/${noteId}`,
    takes: ({ noteId }) => [{ scope: 'note', key: noteId }],
  },
})
const bookId = '01890000-0000-7000-8000-000000000001'
const noteId = '01890000-0000-7000-8000-000000000002'

test('each has its own name, the shared id as its subject, and its fields beside the id', () => {
  const { BookLent, BookReturned } = events
  expect(BookReturned({ bookId })).toEqual({ type: 'BookReturned', data: { bookId } })
  expect([BookLent.type, BookLent.subjectKey, BookLent.action]).toEqual(['BookLent', 'bookId', 'book.lent'])
  expect(BookLent.sealedFields).toEqual(['title'])
  expect(BookLent.shownFields).toEqual(['bookId', 'shelf'])
  expect(BookLent.sentence({ bookId, title: 't', shelf: 's', hash: 'h' })).toBe(`lent ${bookId} of s`)
  expect(BookReturned.schema.safeParse({ bookId, title: 't' }).success).toBe(false)
})

test('the shared key seals those with sealed fields, unless they name another', () => {
  const { BookLent, BookReturned, BookNoted } = events
  expect(BookLent.options.sealedFor?.({ bookId, title: 't', shelf: 's', hash: 'h' })).toBe(`book/${bookId}`)
  expect(BookReturned.options).toEqual({ strict: true })
  expect(BookNoted.options.sealedFor?.({ bookId, noteId, note: 'n' })).toBe(`note/${noteId}`)
  expect(BookNoted.options.takes?.({ bookId, noteId, note: 'n' })).toEqual([{ scope: 'note', key: noteId }])
})

test('sealed fields without any key are refused at start', () => {
  const declare = () =>
    eventsAbout({ bookId: z.uuid() })({ BookLent: { fields: { title: sealed(z.string()) }, sentence: () => 'lent' } })
  expect(declare).toThrow('BookLent has sealed fields')
})

test('a first field that is no id is refused at start', () => {
  expect(() => eventsAbout({ title: z.string(), bookId: z.uuid() })({})).toThrow('not title')
})

test('a stream takes them as they are declared', () => {
  const books = stream('books', events)
  expect(books.types.map(({ type }) => type)).toEqual(['BookLent', 'BookReturned', 'BookNoted'])
  expect(books.nameFor('1')).toBe('books-1')
})
