import { afterAll, beforeAll, expect, test } from 'vitest'
import { seed } from '../../src/app/seed.ts'
import { TEST_CIPHER } from '../support/database.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

const start = (apiUrl: string | undefined): Promise<void> => seed(app.db, TEST_CIPHER, { apiUrl })
const set = (apiUrl: string | null) =>
  app.admin.ask('connect.settings', 'write', { ids: [1], vals: { api_url: apiUrl } })
const stored = async () =>
  (await app.admin.ask<{ api_url: string | null }[]>('connect.settings', 'read', { ids: [1], fields: ['api_url'] }))[0]

test('API_URL is the setting api_url while that is empty, and changes none that somebody has set', async () => {
  await set(null)
  await start(undefined)
  expect(await stored()).toMatchObject({ api_url: null })
  await start('https://first.example.com')
  expect(await stored()).toMatchObject({ api_url: 'https://first.example.com' })
  await start('https://second.example.com')
  expect(await stored()).toMatchObject({ api_url: 'https://first.example.com' })
  await set('')
  await start('https://second.example.com')
  expect(await stored()).toMatchObject({ api_url: 'https://second.example.com' })
})
