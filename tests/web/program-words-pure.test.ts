// What programs name, as people read it in lists, files and the audit.
import { expect, test } from 'vitest'
import { columnsOf, csvOf } from '../../web/records/export-rows.ts'
import { programTitle, programWords, webhookWords } from '../../web/words/program-words.ts'

test.each([
  ['connect.telco.number', 'Number'],
  ['res.partner', 'Contact'],
  ['connect.voiceai_agent,1', 'Voice agent #1'],
  ['voiceai.post_call', 'Conversation from ElevenLabs'],
  ['/connect_voiceai/post_call', 'Conversation from ElevenLabs'],
  ['/telco/webhook/:model/call_action/:record', 'Next step of a call'],
  ['/connect_voiceai_helpdesk/create_ticket', 'Create ticket'],
  ['write', 'Changed'],
  ['recording-download', 'Recording download'],
])('%s is read as %s', (name, words) => expect(programWords(name)).toBe(words))

test.each([
  ['callstatus', 'Status of a call'],
  ['gather', "Caller's choice in a menu"],
  ['markup', 'Call asks for TwiML'],
  ['callaction', 'Next step of a call'],
  ['call_action', 'Next step of a call'],
  ['post_call', 'Conversation from ElevenLabs'],
])('a webhook whose path ends in %s is read as %s', (end, words) => expect(webhookWords(end)).toBe(words))

test('records that are called by such names have titles of words, and others their own', () => {
  expect(programTitle('connect.audit', 'write connect.telco.number 5')).toBe('Number #5 · Changed')
  expect(programTitle('connect.audit', 'sync connect.telco.number')).toBe('Number · Sync')
  expect(programTitle('connect.delivery', '/connect_voiceai/post_call 7')).toBe('Conversation from ElevenLabs 7')
  expect(programTitle('connect.job', 'voicemail-download 12')).toBe('Voicemail download 12')
  expect(programTitle('res.partner', 'write connect.call 5')).toBe('write connect.call 5')
})

test('a file for a spreadsheet says kinds of records and webhooks in words', () => {
  const field = (name: string) => ({ name, type: 'char', string: name, widget: 'program_name' }) as never
  const columns = columnsOf([field('model'), field('route')], {
    zone: 'Europe/Zurich',
    language: 'en',
    yes: 'Yes',
    no: 'No',
  })
  const row = { model: 'connect.call', route: '/telco/webhook/message' }
  expect(csvOf(columns, [row])).toBe('model,route\r\nCall,Incoming message\r\n')
})

test('a value that counts kinds of records says them by their labels', () => {
  const field = { name: 'counts', type: 'json', string: 'Deleted' } as never
  const columns = columnsOf([field], { zone: 'UTC', language: 'en', yes: 'Yes', no: 'No' })
  expect(columns[0]?.text({ counts: { 'connect.call': 2, 'mail.message': 1 } })).toBe('Call: 2; Message: 1')
})
