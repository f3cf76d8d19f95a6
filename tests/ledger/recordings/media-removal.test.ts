import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { mediaRemovalJob, mediaSweepJob } from '../../../src/ledger/recordings/media-removal.ts'
import { MediaStore } from '../../../src/platform/media/media-store.ts'
import { aCall, aSid } from '../../fixtures/records.ts'
import { insertRow } from '../../support/rows.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

let app: TestApp
let media: MediaStore

beforeAll(async () => {
  app = await TestApp.start()
  media = new MediaStore(app.config.mediaDir)
})
afterAll(() => app.stop())

function anAudio(): Promise<string> {
  return media.store(Readable.from([Buffer.from('a voice')]), 'mp3')
}

function isStored(reference: string): boolean {
  return existsSync(path.join(app.config.mediaDir, reference))
}

async function aRecording(reference: string): Promise<number> {
  return insertRow(app.db, 'connect_recording', { sid: aSid('RE'), media_ref: reference, media_type: 'audio/mpeg' })
}

async function aVoicemail(callSid: string, reference: string): Promise<number> {
  const url = `https://api.example.com/${callSid}`
  return insertRow(app.db, 'connect_voicemail', {
    sid: aSid('RE'),
    call_sid: callSid,
    url,
    duration: 4,
    media_ref: reference,
  })
}

function untilGone(references: readonly string[]): Promise<true> {
  return eventually(async () => references.every((reference) => !isStored(reference)) && true)
}

it('a deleted recording takes its file with it, and no other', async () => {
  const [gone, stays] = [await anAudio(), await anAudio()]
  const id = await aRecording(gone)
  await aRecording(stays)
  await app.admin.ask('connect.recording', 'unlink', { ids: [id] })
  await untilGone([gone])
  expect(isStored(stays)).toBe(true)
})

it('a deletion that is taken back leaves the file', async () => {
  const reference = await anAudio()
  const id = await aRecording(reference)
  const undone = app.db.transaction(async (tx) => {
    await tx.query(sql`delete from connect_recording where id = ${id}::bigint`)
    throw new Error('taken back')
  })
  await expect(undone).rejects.toThrow('taken back')
  await mediaRemovalJob(app.db, media).work({}, { isLast: true })
  expect(isStored(reference)).toBe(true)
})

it('a row that is deleted past the models loses its file too', async () => {
  const [recording, voicemail] = [await anAudio(), await anAudio()]
  const id = await aRecording(recording)
  const voicemailId = await aVoicemail(aSid(), voicemail)
  await app.db.query(sql`delete from connect_recording where id = ${id}::bigint`)
  await app.db.query(sql`delete from connect_voicemail where id = ${voicemailId}::bigint`)
  await mediaRemovalJob(app.db, media).work({}, { isLast: true })
  expect([isStored(recording), isStored(voicemail)]).toEqual([false, false])
  expect(await app.count('connect_media_removal')).toBe(0)
})

it('a file whose removal was noted before a crash goes with the next run, also when it is gone already', async () => {
  const [there, gone] = [await anAudio(), await anAudio()]
  await media.remove(gone)
  for (const reference of [there, gone]) await insertRow(app.db, 'connect_media_removal', { media_ref: reference })
  await mediaRemovalJob(app.db, media).work({}, { isLast: true })
  expect(isStored(there)).toBe(false)
  expect(await app.count('connect_media_removal')).toBe(0)
})

it('a stored delivery that is cleaned up leaves the audio of the recording that was made of it', async () => {
  const [shared, unused] = [await anAudio(), await anAudio()]
  await aRecording(shared)
  for (const reference of [shared, unused]) {
    const values = { kind: 'post_call_audio', state: 'done', payload: '', media_ref: reference, attempts: 1 }
    await insertRow(app.db, 'connect_inbox', { ...values, received_at: '2026-01-01 00:00:00' })
  }
  await app.db.query(sql`delete from connect_inbox where media_ref in (${shared}, ${unused})`)
  await mediaRemovalJob(app.db, media).work({}, { isLast: true })
  expect([isStored(shared), isStored(unused)]).toEqual([true, false])
})

it('the voicemails of a call go with it, and with those of the calls below it', async () => {
  const [own, below] = [await anAudio(), await anAudio()]
  const [sid, childSid] = [aSid(), aSid()]
  const call = await aCall(app, { sid })
  const child = await aCall(app, { sid: childSid })
  await app.db.query(sql`update connect_call set parent_call = ${call}::bigint where id = ${child}::bigint`)
  await aVoicemail(sid, own)
  await aVoicemail(childSid, below)
  await app.admin.ask('connect.call', 'unlink', { ids: [call] })
  await untilGone([own, below])
})

it('an administrator deletes the voicemail of a call that stays; nobody else does', async () => {
  const reference = await anAudio()
  const sid = aSid()
  const call = await aCall(app, { sid })
  await app.db.query(
    sql`update connect_call set voicemail_url = 'https://api.example.com/1', voicemail_duration = 4 where id = ${call}::bigint`,
  )
  await aVoicemail(sid, reference)
  const person = await app.person(['connect.group_user'])
  expect((await person.call('connect.call', 'delete_voicemail', { ids: [call] })).status).toBe(403)
  expect(isStored(reference)).toBe(true)
  expect(await app.admin.ask('connect.call', 'delete_voicemail', { ids: [call] })).toBe(1)
  await untilGone([reference])
  const [row] = await app.admin.ask<object[]>('connect.call', 'read', {
    ids: [call],
    fields: ['voicemail_url', 'voicemail_duration'],
  })
  expect(row).toMatchObject({ voicemail_url: null, voicemail_duration: null })
})

it('audio that no record names goes when it is old, and what a record or a waiting delivery names stays', async () => {
  const [nobodys, recorded, waiting, done] = [await anAudio(), await anAudio(), await anAudio(), await anAudio()]
  await aRecording(recorded)
  for (const [state, reference] of [
    ['failed', waiting],
    ['ignored', done],
  ] as const) {
    await app.db.query(
      sql`insert into connect_inbox (kind, state, payload, media_ref, received_at, attempts)
          values ('test', ${state}, '', ${reference}, now(), 0)`,
    )
  }
  const half = path.join(app.config.mediaDir, 'incoming', 'half.json')
  writeFileSync(half, 'half')
  utimesSync(half, 0, 0)
  const sweep = mediaSweepJob({ db: app.db, media, log: app.app.platform.log })
  await sweep.work({}, { isLast: true })
  expect([nobodys, recorded, waiting, done].map(isStored)).toEqual([true, true, true, true])
  const eightDaysAgo = Date.now() / 1_000 - 8 * 24 * 3_600
  for (const each of [nobodys, recorded, waiting, done]) {
    utimesSync(path.join(app.config.mediaDir, each), eightDaysAgo, eightDaysAgo)
  }
  await sweep.work({}, { isLast: true })
  expect([nobodys, recorded, waiting, done].map(isStored)).toEqual([false, true, true, false])
  expect(existsSync(half)).toBe(false)
})
