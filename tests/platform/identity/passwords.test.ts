import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashPassword, passwordMatches } from '../../../src/platform/identity/passwords/passwords.ts'

test('a crowd that signs in leaves threads to the person who reads a file meanwhile', async () => {
  const stored = await hashPassword('correct horse battery')
  const ended: string[] = []
  const crowd = Array.from({ length: 20 }, async () => {
    await passwordMatches('a wrong password', stored)
    ended.push('sign-in')
  })
  const reading = readFile(import.meta.filename).then(() => ended.push('file'))
  await Promise.all([...crowd, reading])
  expect(ended.indexOf('file')).toBeLessThan(8)
  expect(await passwordMatches('correct horse battery', stored)).toBe(true)
})
