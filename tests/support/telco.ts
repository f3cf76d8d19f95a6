import webhooks from 'twilio/lib/webhooks/webhooks.js'
import { sql } from '../../src/database/drizzle.ts'
import { type Received, type Sending, sendRequest } from './http.ts'
import type { Answer, TestApp } from './test-app.ts'

const { getExpectedTwilioSignature } = webhooks

export const AUTH_TOKEN = '12345678901234567890123456789012'
export const ACCOUNT_SID = 'AC00000000000000000000000000000001'
export const PUBLIC_URL = 'https://pbx.example.com'

export type Fields = Record<string, string | string[]>

/** Gives the installation an account, so that signed requests are believed. */
export async function setUpTelco(app: TestApp): Promise<void> {
  await app.admin.ask('connect.settings', 'write', {
    ids: [1],
    vals: { auth_token: AUTH_TOKEN, account_sid: ACCOUNT_SID, api_url: PUBLIC_URL },
  })
}

interface SendOptions {
  /** The address that is signed, when it is not the public one. */
  url?: string
  token?: string
  headers?: Record<string, string>
  header?: string
}

/** Sends a form as the provider does, signed by its own SDK for the public address. */
export function sendTelco(app: TestApp, target: string, fields: Fields, options: SendOptions = {}): Promise<Answer> {
  return app.request(target, signedRequest(target, fields, options))
}

/** The same to a service that runs somewhere else; gives the status it was answered with. */
export async function sendSigned(base: string, target: string, fields: Fields): Promise<number> {
  const { status } = await askSigned(base, target, fields)
  return status
}

/** The same; gives the whole answer. */
export function askSigned(base: string, target: string, fields: Fields, options: SendOptions = {}): Promise<Received> {
  return sendRequest(base + target, signedRequest(target, fields, options))
}

function signedRequest(target: string, fields: Fields, options: SendOptions = {}): Sending {
  const url = options.url ?? PUBLIC_URL + target
  const signature = getExpectedTwilioSignature(options.token ?? AUTH_TOKEN, url, fields)
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      [options.header ?? 'X-Telco-Signature']: signature,
      ...options.headers,
    },
    body: encodeForm(fields),
  }
}

export function encodeForm(fields: Fields): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, each)
  }
  return form.toString()
}

/** The fields of a voice request (docs/reference/providers.md#voice-request-fields). */
export function aVoiceRequest(fields: Record<string, string> = {}): Record<string, string> {
  const from = fields.From ?? '+14155550100'
  const to = fields.To ?? '+14155550199'
  return {
    CallSid: 'CA00000000000000000000000000000001',
    AccountSid: ACCOUNT_SID,
    ApiVersion: '2010-04-01',
    Direction: 'inbound',
    CallStatus: 'ringing',
    From: from,
    Caller: from,
    To: to,
    Called: to,
    FromCity: '',
    ...fields,
  }
}

/** How many rows the tables hold that telephony writes. */
export async function ledgerCounts(app: TestApp): Promise<Record<string, number>> {
  const tables = [
    'connect_call',
    'connect_channel',
    'connect_recording',
    'connect_message',
    'res_partner',
    'mail_message',
  ]
  const counts = await Promise.all(tables.map((table) => app.count(table)))
  return Object.fromEntries(tables.map((table, at) => [table, counts[at] ?? 0]))
}

/** A phone user with an extension, ready to be rung. */
export async function aPbxUser(
  app: TestApp,
  { username, extension, values = {} }: { username: string; extension: string; values?: object },
): Promise<{ id: number; loginId: number; extensionId: number }> {
  const login = await app.person([], { login: username, name: username })
  const domain = await aDomain(app)
  const id = await app.admin.ask<number>('connect.user', 'create', {
    vals_list: { user: login.userId, username, domain, ...values },
  })
  const extensionId = await app.admin.ask<number>('connect.telco.exten', 'create', {
    vals_list: { number: extension, dst: `connect.user,${id}` },
  })
  return { id, loginId: login.userId, extensionId }
}

async function aDomain(app: TestApp): Promise<number> {
  const known = await app.db.query<{ id: number }>(sql`select id from connect_telco_domain order by id limit 1`)
  if (known[0] !== undefined) return known[0].id
  const markups = await app.db.query<{ id: number }>(sql`select id from connect_telco_markup order by id limit 1`)
  return app.admin.ask<number>('connect.telco.domain', 'create', {
    vals_list: { subdomain: 'acme', friendly_name: 'Acme', ...(markups[0] ? { application: markups[0].id } : {}) },
  })
}
