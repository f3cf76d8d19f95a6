import { expect, test } from 'vitest'
import { audioPlayer } from '../../../src/ledger/recordings/players.ts'
import { toColumn } from '../../../src/platform/records/column-values.ts'
import { agentModel } from '../../../src/voiceai/agents/agent.ts'
import { listAddresses, SIGNALLING_RANGES } from '../../../src/voiceai/agents/allowed-addresses.ts'
import { checkValues } from '../../support/model-checks.ts'

test.each([
  ['temperature', 0, 1],
  ['stability', 0, 1],
  ['similarity_boost', 0, 1],
  ['speed', 0.7, 1.2],
  ['turn_timeout', 1, 30],
  ['max_duration_seconds', 60, 7_200],
])('%s goes from %d to %d, and its own sentence says so', (name, min, max) => {
  const field = agentModel.fields[name]
  if (field?.kind !== 'float' && field?.kind !== 'integer') throw new Error(`${name} is no number`)
  const step = field.kind === 'integer' ? 1 : 0.01
  const path = `connect.voiceai_agent.${name}`
  expect(toColumn(path, field, min)).toBe(min)
  expect(toColumn(path, field, max)).toBe(max)
  for (const value of [min - step, max + step]) {
    expect(() => toColumn(path, field, value)).toThrow(`"${path}" must be from ${min} to ${max}.`)
  }
})

test('the addresses that callers come from are those of the telephony provider unless somebody says otherwise', () => {
  const field = agentModel.fields.voiceai_inbound_allowed_ips
  expect(listAddresses(String(field?.default))).toEqual([...SIGNALLING_RANGES])
})

test.each(['', '192.0.2.1', '192.0.2.0/24, 198.51.100.7\n2001:db8::/32', null])(
  '%j is a list of addresses',
  (written) => {
    expect(() => checkValues(agentModel, { voiceai_inbound_allowed_ips: written })).not.toThrow()
  },
)

test.each([
  ['192.0.2.0/33', '192.0.2.0/33'],
  ['192.0.2.1, pbx.example.com', 'pbx.example.com'],
  ['192.0.2.1;192.0.2.2', '192.0.2.1;192.0.2.2'],
  ['192.0.2.0/24/8', '192.0.2.0/24/8'],
  ['192.0.2.0/', '192.0.2.0/'],
])('%s is refused because of %s', (written, bad) => {
  expect(() => checkValues(agentModel, { voiceai_inbound_allowed_ips: written })).toThrow(`has "${bad}"`)
})

test.each([null, undefined, {}, { de: 'Guten Tag!', 'pt-br': 'Olá!' }])('%j are translations', (value) => {
  expect(() => checkValues(agentModel, { first_message_translations: value })).not.toThrow()
})

test.each([[[]], ['de'], [{ de: 1 }], [{ xx: 'Hi' }], [{ constructor: 'Hi' }]])('%j are no translations', (value) => {
  expect(() => checkValues(agentModel, { first_message_translations: value })).toThrow(
    /first_message_translations" must be an object/,
  )
})

test('a player is made for web addresses and paths of ours, with the address escaped', () => {
  expect(audioPlayer('https://a.example/b.mp3?c="d"')).toBe(
    '<audio controls preload="none" src="https://a.example/b.mp3?c=&quot;d&quot;"></audio>',
  )
  expect(audioPlayer('/web/content/x')).toContain('src="/web/content/x"')
})

test.each([
  'javascript:alert(1)',
  'data:audio/mp3;base64,AA',
  '//evil.example/x',
  '/\\evil.example/x',
  '/x\\y',
  'https:\\\\evil.example',
  '',
  null,
  7,
])('no player is made for %j', (source) => {
  expect(audioPlayer(source)).toBeNull()
})
