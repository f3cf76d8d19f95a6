import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { synchronise } from '../../emulators/scenarios/prepare.ts'
import { ServiceApi } from '../../emulators/scenarios/service-api.ts'

test('a service that has no time to say how far a synchronisation is, is asked again', async () => {
  const answers = [
    [200, { run_id: 7 }],
    [503, { message: 'try again' }],
    [200, [{ id: 7, state: 'done', errors: [] }]],
  ] as const
  let asked = 0
  const server = createServer((_request, response) => {
    const [status, body] = answers[asked] ?? [500, {}]
    asked += 1
    response.writeHead(status).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await synchronise(new ServiceApi({ url: `http://127.0.0.1:${port}`, key: 'k' }), 'voiceai')
  expect(asked).toBe(3)
})
