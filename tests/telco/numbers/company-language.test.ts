// New numbers speak the language that the company speaks with its callers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SyncOffice } from '../sync/sync-office.ts'

const NUMBER = 'connect.telco.number'
const [FOUND, ENTERED, SPANISH, LATER] = ['+41315550100', '+41315550101', '+41315550102', '+41315550103']

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
  await office.setUp({ speech_language: 'de-DE', telco_auto_sync: false })
})
afterAll(() => office.stop())

const languages = async () =>
  (await office.list(NUMBER)).map(({ phone_number, language }) => [phone_number, language]).sort()

test('a number that is found at Twilio or entered has the language of the callers, one that is asked for its own', async () => {
  office.telco.addNumber({ phoneNumber: FOUND, friendlyName: 'Main line' })
  await office.create(NUMBER, { phone_number: ENTERED })
  await office.create(NUMBER, { phone_number: SPANISH, language: 'es-ES' })
  expect(await office.run()).toMatchObject({ state: 'done' })
  expect(await languages()).toEqual([
    [FOUND, 'de-DE'],
    [ENTERED, 'de-DE'],
    [SPANISH, 'es-ES'],
  ])
})

test('the form of a new number says which language it has, and numbers that are there keep theirs', async () => {
  const fields = () => office.app.admin.ask<{ language: object }>(NUMBER, 'fields_get', { allfields: ['language'] })
  expect(await fields()).toMatchObject({ language: { default: 'de-DE' } })
  await office.setUp({ speech_language: null })
  expect(await fields()).toMatchObject({ language: { default: 'en-US' } })
  await office.create(NUMBER, { phone_number: LATER })
  expect(await languages()).toContainEqual([FOUND, 'de-DE'])
  expect(await languages()).toContainEqual([LATER, 'en-US'])
})
