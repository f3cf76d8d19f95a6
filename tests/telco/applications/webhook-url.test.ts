import { expect, test } from 'vitest'
import type { Env } from '../../../src/platform/access/env.ts'
import { markupUrl, statusUrl } from '../../../src/telco/applications/webhook-url.ts'
import { sipHost } from '../../../src/telco/client/hosts.ts'
import { actionUrl, type RouteContext } from '../../../src/telco/routing/decide/context.ts'
import { domainModel } from '../../../src/telco/sip-domains/domain.ts'

test.each([
  ['https://pbx.example.com', 'https://pbx.example.com/telco/webhook/number#e=dublin'],
  ['https://pbx.example.com/', 'https://pbx.example.com/telco/webhook/number#e=dublin'],
  ['https://example.com/pbx', 'https://example.com/pbx/telco/webhook/number#e=dublin'],
])('an address below %s has one slash and names the edge in its fragment', (base, url) => {
  expect(markupUrl(base, '/telco/webhook/number', 'dublin')).toBe(url)
})

test('a status address asks the provider to try again after a short outage', () => {
  const url = statusUrl('https://pbx.example.com', '/telco/webhook/callstatus', 'ashburn')
  expect(url).toBe('https://pbx.example.com/telco/webhook/callstatus#e=ashburn&rc=2&rp=ct,rt,5xx')
})

test('a query comes before the fragment, so that it is sent', () => {
  const url = markupUrl(
    'https://pbx.example.com',
    '/telco/webhook/connect.user/call_action/7?done_callflows=1,2',
    'tokyo',
  )
  expect(new URL(url ?? '').searchParams.get('done_callflows')).toBe('1,2')
})

test('parameters of an address are in alphabetical order', () => {
  const settings = { apiUrl: 'https://pbx.example.com', telcoEdge: 'ashburn' }
  const context = { isFallback: true, settings } as unknown as RouteContext
  expect(actionUrl(context, '/telco/webhook/domain', ['forward_to=101', 'done_callflows=1,2'])).toBe(
    'https://pbx.example.com/telco/webhook/domain?done_callflows=1,2&fallback=1&forward_to=101#e=ashburn',
  )
})

test('there is no address while there is no API URL', () => {
  expect(markupUrl(undefined, '/telco/webhook/number', 'ashburn')).toBeNull()
  expect(statusUrl(undefined, '/telco/webhook/callstatus', 'ashburn')).toBeNull()
})

test.each([
  [undefined, 'acme.sip.twilio.com'],
  ['roaming', 'acme.sip.twilio.com'],
  ['sao-paulo', 'acme.sip.sao-paulo.twilio.com'],
])('the host of a SIP domain at the edge %s', (edge, host) => {
  expect(sipHost('acme', edge)).toBe(host)
})

test('the hosts at the edges are one per line and never roaming', async () => {
  const field = domainModel.fields.edge_domains
  const [shown] = field?.kind === 'computed' ? await field.compute({} as Env, [{ id: 1, subdomain: 'acme' }]) : []
  const hosts = String(shown).split('\n')
  expect(hosts).toHaveLength(8)
  expect(hosts[0]).toBe('acme.sip.ashburn.twilio.com')
  expect(hosts.join()).not.toContain('roaming')
})
