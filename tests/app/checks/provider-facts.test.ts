import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SCENARIOS } from '../../../emulators/scenarios/catalogue.ts'
import { checkFacts } from '../../../src/app/checks/facts/check-facts.ts'
import type { Asked } from '../../../src/app/checks/facts/read-only.ts'
import type { Finding } from '../../../src/app/checks/finding.ts'

type Known = Omit<Asked, 'read'>

const KNOWN: Known = {
  settings: {
    id: 1,
    api_url: 'https://pbx.example.com',
    voiceai_enabled: true,
    voiceai_api_key: 'a key',
    voiceai_agent_token: null,
    voiceai_post_call_webhook_secret: null,
    voiceai_post_call_webhook_id: 'wh_1',
    account_sid: 'AC1',
    auth_token: 'a token',
    telco_verify_requests: true,
    announce_recordings: false,
    telco_region: 'ie1',
    telco_edge: 'dublin',
    telco_api_key: 'SK1',
  },
  now: new Date('2026-11-22T10:00:00Z'),
  numbers: [{ phone_number: '+15550100001', sid: 'PN1' }],
  agents: [{ id: 1, name: 'Anna', agent_uid: 'agent_1', llm: 'gpt-5.2' }],
}

const WELL: Record<string, unknown> = {
  '/2010-04-01/Accounts/AC1.json': { status: 'active', type: 'Full' },
  '/2010-04-01/Accounts/AC1/Keys/SK1.json': { sid: 'SK1' },
  '/v2/PhoneNumbers/%2B15550100001': { voice_region: 'ie1' },
  '/v1/Alerts': { alerts: [] },
  '/v1/convai/phone-numbers': [{ phone_number: 'agent_1', assigned_agent: { agent_id: 'agent_1' } }],
  '/v1/convai/llm/list': { llms: [{ llm: 'gpt-5.2' }] },
  '/v1/workspace/webhooks': { webhooks: [{ webhook_id: 'wh_1', is_disabled: false, is_auto_disabled: false }] },
  '/v1/convai/conversations': { conversations: [{ conversation_id: 'conv_1', status: 'done' }] },
  '/v1/convai/conversations/conv_1': {
    conversation_id: 'conv_1',
    metadata: { phone_call: { type: 'sip_trunking' } },
    conversation_initiation_client_data: { dynamic_variables: { sip_connect_call_ref: '7' } },
  },
}

/** The findings when both providers answer as above, but for what `other` says; undefined is a 404. */
async function look(other: Record<string, unknown> = {}, known: Partial<Known> = {}): Promise<Finding[]> {
  const answer = async (path: string) => {
    const [bare = ''] = path.split('?', 1)
    const body = bare in other ? other[bare] : WELL[bare]
    if (typeof body === 'number') return { status: body, body: {} }
    return body === undefined ? { status: 404, body: {} } : { status: 200, body }
  }
  return checkFacts({ read: { voiceai: answer, telco: (_product, path) => answer(path) }, ...KNOWN, ...known })
}

async function notOk(other: Record<string, unknown>, known?: Partial<Known>): Promise<Finding[]> {
  return (await look(other, known)).filter(({ result }) => result !== 'ok')
}

describe('what only real accounts show', () => {
  it('the checks of real accounts are well when everything is as our reading of the pages says', async () => {
    const findings = await look()
    expect(findings.filter(({ result }) => result !== 'ok')).toEqual([])
    expect(findings).toHaveLength(9)
  })

  it.each([
    ['telco account', { '/2010-04-01/Accounts/AC1.json': { status: 'suspended' } }, /suspended/],
    ['telco account', { '/2010-04-01/Accounts/AC1.json': 401 }, /refuses the credentials/],
    ['telco account', { '/2010-04-01/Accounts/AC1.json': 0 }, /cannot be reached/],
    ['telco API key', { '/2010-04-01/Accounts/AC1/Keys/SK1.json': undefined }, /does not exist in ie1/],
    ['telco number regions', { '/v2/PhoneNumbers/%2B15550100001': undefined }, /handled in us1, not in ie1/],
    [
      'telco number regions',
      { '/v2/PhoneNumbers/%2B15550100001': { voice_region: 'au1' } },
      /handled in au1, not in ie1/,
    ],
    ['voiceai phone lines', { '/v1/convai/phone-numbers': [] }, /Anna cannot be called over SIP/],
    ['voiceai language models', { '/v1/convai/llm/list': { llms: [] } }, /Anna uses gpt-5\.2, which is not offered/],
    ['voiceai webhook', { '/v1/workspace/webhooks': { webhooks: [] } }, /does not have it/],
    [
      'voiceai webhook',
      {
        '/v1/workspace/webhooks': {
          webhooks: [{ webhook_id: 'wh_1', is_auto_disabled: true, most_recent_failure_error_code: 500 }],
        },
      },
      /disabled it; its last failure was 500/,
    ],
  ])('%s is wrong with %j', async (check, other, sentence) => {
    const [finding, ...rest] = await notOk(other)
    expect(rest).toEqual([])
    expect(finding).toMatchObject({ check, result: 'WRONG', finding: expect.stringMatching(sentence) })
    expect(finding?.fix).not.toBe('')
  })

  it('names what the phone provider objected to by its code, once for each', async () => {
    const alert = (code: string, level: string) => ({ error_code: code, log_level: level })
    const alerts = [alert('13247', 'error'), alert('13247', 'error'), alert('12200', 'warning')]
    expect(await notOk({ '/v1/Alerts': { alerts } })).toEqual([
      expect.objectContaining({
        result: 'WRONG',
        finding: 'error 13247, 2 times in the last 7 days',
        fix: 'https://www.twilio.com/docs/api/errors/13247',
      }),
      expect.objectContaining({ result: 'note', finding: 'error 12200, 1 times in the last 7 days' }),
    ])
  })

  it('tells why the platform ended a conversation, in its own words', async () => {
    const error = { code: 1008, reason: 'Missing required dynamic variables in first message: {"shop"}' }
    const findings = await notOk({
      '/v1/convai/conversations': { conversations: [{ conversation_id: 'conv_2', status: 'failed' }] },
      '/v1/convai/conversations/conv_2': { metadata: { error, phone_call: null } },
    })
    expect(findings).toMatchObject([
      { check: 'voiceai conversations', result: 'WRONG', finding: `conv_2 failed: ${error.reason}` },
      { check: 'voiceai calls', result: 'note' },
    ])
  })

  it('says when a call came without our reference', async () => {
    const call = { conversation_id: 'conv_1', metadata: { phone_call: { type: 'sip_trunking' } } }
    expect(await notOk({ '/v1/convai/conversations/conv_1': call })).toMatchObject([
      { check: 'voiceai calls', result: 'WRONG', finding: 'conv_1 carries no reference to its call' },
    ])
  })

  it('asks for a test call while there was none, and for nothing of a provider that is not set up', async () => {
    const none = await notOk({ '/v1/convai/conversations': { conversations: [] } })
    expect(none.map(({ check, result }) => [check, result])).toEqual([
      ['voiceai conversations', 'note'],
      ['voiceai calls', 'note'],
    ])
    const settings = { ...KNOWN.settings, voiceai_enabled: false, auth_token: null }
    expect(await look({}, { settings })).toEqual([])
  })
})

describe('the page of what was checked', () => {
  const page = readFileSync('docs/provider-checks.md', 'utf8')

  it('names every check of the command', async () => {
    const checks = (await look()).map(({ check }) => check)
    expect(checks.filter((check) => !page.includes(`\`${check}\``))).toEqual([])
  })

  it('names tests and scenarios that there are', () => {
    const tests = [...page.matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file)
    const scenarios = [...page.matchAll(/scenario `([^`]+)`/g)].map(([, name = '']) => name)
    expect(tests.length).toBeGreaterThan(10)
    expect(tests.filter((file) => !existsSync(file))).toEqual([])
    expect(scenarios.filter((name) => !SCENARIOS.some((each) => each.name === name))).toEqual([])
  })
})
