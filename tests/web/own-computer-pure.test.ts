// A link that leads each computer to itself is told from one that a network reaches.
import { expect, it } from 'vitest'
import { isOwnComputer } from '../../web/settings/own-computer.ts'

it.each([
  ['http://127.0.0.1:8069', true],
  ['http://localhost:8069', true],
  ['http://connect.localhost', true],
  ['http://[::1]:8069', true],
  ['http://192.168.1.4:8069', false],
  ['https://connect.example.com', false],
  ['https://127.0.0.1.example.com', false],
])('%s: %s', (address, isOwn) => {
  expect(isOwnComputer(new URL(address).hostname)).toBe(isOwn)
})
