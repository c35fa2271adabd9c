/** The container of a process, by what its engine has mounted. */
import { expect, test } from 'vitest'
import { containerIdIn } from '#kernel/lib/own-container'

const id = '0123456789abcdef'.repeat(4)
const mount = (root: string, at: string) => `1290 1271 254:1 ${root} ${at} rw,relatime - ext4 /dev/vda1 rw`

test('an engine gives the process files of the directory of its container', () => {
  const ofDocker = mount(`/var/lib/docker/containers/${id}/hostname`, '/etc/hostname')
  expect(containerIdIn([mount('/', '/'), ofDocker].join('\n'))).toBe(id)
})

test('a host, and the directory of another container, name none', () => {
  expect(containerIdIn('')).toBeUndefined()
  expect(containerIdIn(mount('/', '/'))).toBeUndefined()
  expect(containerIdIn(mount(`/var/lib/docker/containers/${id}/data`, '/data'))).toBeUndefined()
})
