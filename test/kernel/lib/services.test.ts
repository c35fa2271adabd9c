import { expect, test } from 'vitest'
import { provide, requiredService, serviceKey, serviceRegistry } from '#kernel/lib/services'

const greeting = serviceKey('greeting', 'hello')
const clock = requiredService<() => number>('clock')

test('a service is what was provided, and otherwise its default', () => {
  expect(serviceRegistry()(greeting)).toBe('hello')
  expect(serviceRegistry([provide(greeting, 'good morning')])(greeting)).toBe('good morning')
})

test('a required service that was not provided is named where it is used', () => {
  expect(serviceRegistry([provide(clock, () => 7)])(clock)()).toBe(7)
  expect(() => serviceRegistry([provide(greeting, 'hello')])(clock)).toThrow(
    'No clock was provided: register one in the composition root',
  )
})
