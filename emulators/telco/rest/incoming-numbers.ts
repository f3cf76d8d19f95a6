import type { HttpRequest, HttpRoute } from '../../http-server.ts'
import type { Account } from '../account.ts'
import { newSid } from '../sids.ts'
import type { WireRecord } from '../store.ts'
import { API_VERSION, classicRoutes, formOf, type RestParts, uriOf } from './classic-resource.ts'
import type { FieldKinds } from './form-fields.ts'
import { checkPapers } from './number-papers.ts'
import { findForSale } from './numbers-for-sale.ts'
import { badRequest, notFound } from './rest-error.ts'

const FIELDS: FieldKinds = {
  account_sid: 'text',
  api_version: 'text',
  friendly_name: 'text',
  voice_url: 'address',
  voice_method: 'method',
  voice_fallback_url: 'address',
  voice_fallback_method: 'method',
  voice_application_sid: 'text',
  voice_caller_id_lookup: 'boolean',
  voice_receive_mode: 'text',
  status_callback: 'address',
  status_callback_method: 'method',
  sms_url: 'address',
  sms_method: 'method',
  sms_fallback_url: 'address',
  sms_fallback_method: 'method',
  sms_application_sid: 'text',
  trunk_sid: 'text',
  emergency_status: 'text',
  emergency_address_sid: 'text',
  identity_sid: 'text',
  address_sid: 'text',
  bundle_sid: 'text',
}

/** Numbers that the account has bought, through the API or with `addNumber`. */
export function incomingNumberRoutes(parts: RestParts): HttpRoute[] {
  const { account } = parts
  const { applications } = account
  return classicRoutes(
    {
      prefix: 'PN',
      path: '/IncomingPhoneNumbers',
      key: 'incoming_phone_numbers',
      store: parts.account.numbers,
      fields: FIELDS,
      filters: ['phone_number', 'friendly_name', 'beta', 'origin'],
      isCreatable: true,
      complete: (values, request) => sellNumber(account, values, request),
      check(values, record) {
        for (const field of ['voice_application_sid', 'sms_application_sid']) {
          const sid = values[field]
          if (typeof sid === 'string' && sid !== '' && applications.find(sid) === undefined) {
            throw notFound(`/Applications/${sid} (of ${String(record.phone_number)})`)
          }
        }
      },
    },
    parts,
  )
}

export interface BoughtNumber {
  readonly phoneNumber: string
  readonly friendlyName?: string
}

/** What is sold to who asks for it through the API. Throws for what is not for sale, and without what its country wants. */
function sellNumber(account: Account, values: Record<string, unknown>, request: HttpRequest): Record<string, unknown> {
  const number = formOf(request).get('PhoneNumber') ?? ''
  if (!/^\+\d{7,15}$/.test(number)) throw badRequest(21421, `PhoneNumber is invalid: ${number}`)
  const sold = findForSale(account, number)
  // https://www.twilio.com/docs/errors/21422
  if (sold === undefined) throw badRequest(21422, `PhoneNumber is not available: ${number}`)
  checkPapers(account, sold, values)
  const hasTexts = sold.offer.hasTexts !== false
  return {
    ...freshNumber(account, number),
    address_requirements: sold.offer.wants,
    capabilities: { voice: true, sms: hasTexts, mms: hasTexts, fax: false },
    ...values,
  }
}

/** Buys a number, as the owner of the account does in the provider's console. */
export function addNumber(account: Account, { phoneNumber, friendlyName }: BoughtNumber, date: string): WireRecord {
  const sid = newSid('PN')
  return account.numbers.add({
    ...freshNumber(account, phoneNumber),
    sid,
    date_created: date,
    date_updated: date,
    friendly_name: friendlyName ?? phoneNumber,
    uri: uriOf(account, `/IncomingPhoneNumbers/${sid}`),
  })
}

/** A number as nobody has set it up yet. */
function freshNumber(account: Account, phoneNumber: string): Record<string, unknown> {
  return {
    account_sid: account.sid,
    address_sid: null,
    address_requirements: 'none',
    api_version: API_VERSION,
    beta: false,
    bundle_sid: null,
    capabilities: { voice: true, sms: true, mms: true, fax: false },
    emergency_address_sid: null,
    emergency_address_status: 'unregistered',
    emergency_status: 'Active',
    friendly_name: phoneNumber,
    identity_sid: null,
    origin: 'twilio',
    phone_number: phoneNumber,
    sms_application_sid: null,
    sms_fallback_method: 'POST',
    sms_fallback_url: '',
    sms_method: 'POST',
    sms_url: '',
    status: 'in-use',
    status_callback: '',
    status_callback_method: 'POST',
    trunk_sid: null,
    type: 'local',
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_fallback_method: 'POST',
    voice_fallback_url: '',
    voice_method: 'POST',
    voice_receive_mode: 'voice',
    voice_url: 'https://demo.twilio.com/welcome/voice/',
  }
}
