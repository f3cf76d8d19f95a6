import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { renewSecrets } from '../../../src/platform/secrets/renew-secrets.ts'
import { cipherOf, secretPlace } from '../../../src/platform/secrets/secrets.ts'
import { TEST_CIPHER } from '../../support/database.ts'
import { TestApp } from '../../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

test('a secret is worth nothing at another field or record, and a text of a later version is refused', () => {
  const cipher = cipherOf('a key of the tests')
  const place = secretPlace('connect_settings', 'auth_token', 1)
  const stored = cipher.encrypt('sesame', place)
  expect(cipher.decrypt(stored, place)).toBe('sesame')
  for (const [table, field, id] of [
    ['connect_settings', 'voiceai_api_key', 1],
    ['connect_settings', 'auth_token', 2],
    ['connect_user', 'auth_token', 1],
  ] as const) {
    expect(() => cipher.decrypt(stored, secretPlace(table, field, id))).toThrow('SECRET_KEY')
  }
  expect(() => cipher.decrypt(stored.replace('v2:', 'v3:'), place)).toThrow('not written by this version')
})

test('a secret of an earlier version is read, and written anew with its place at the next start', async () => {
  const token = oldSecret('an old token')
  await app.db.query(sql`update connect_settings set voiceai_agent_token = ${token}`)
  await renewSecrets(app.db, app.app.platform.models, TEST_CIPHER)
  const [row] = await app.db.query<{ id: number; stored: string }>(
    sql`select id, voiceai_agent_token as stored from connect_settings`,
  )
  expect(row?.stored).toMatch(/^v2:/)
  const place = secretPlace('connect_settings', 'voiceai_agent_token', row?.id ?? 0)
  expect(TEST_CIPHER.decrypt(row?.stored ?? '', place)).toBe('an old token')
  const [settings] = await app.admin.ask<{ voiceai_agent_token: string }[]>('connect.settings', 'search_read', {
    fields: ['voiceai_agent_token'],
  })
  expect(settings?.voiceai_agent_token).toBe('an old token')
})

/** As the first version encrypted under the key of TEST_CIPHER. */
function oldSecret(plain: string): string {
  const key = createHash('sha256').update('connect secrets v1\0the secret key of the tests').digest()
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `v1:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`
}
