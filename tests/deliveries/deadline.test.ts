import { once } from 'node:events'
import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { withinDeadline } from '../../src/deliveries/webhooks/deadline.ts'

const DEADLINE_MS = 20

test('work that takes longer than the deadline is given up', async () => {
  await expect(withinDeadline(new Promise(() => undefined), DEADLINE_MS)).rejects.toMatchObject({
    name: 'DeadlineError',
    message: `no answer within ${DEADLINE_MS} ms`,
  })
})

test('an answer that arrived while the process stood still counts', async () => {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
  const [[peer]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[net.Socket], unknown]
  onTestFinished(() => {
    client.destroy()
    peer.destroy()
    server.close()
  })
  const answered = withinDeadline(once(client, 'data'), DEADLINE_MS)
  peer.write('answer')
  const end = performance.now() + 3 * DEADLINE_MS
  while (performance.now() < end);
  expect(String(await answered)).toBe('answer')
})
