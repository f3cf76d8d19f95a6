import { randomInt } from 'node:crypto'
import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Carrier } from '../carrier/carrier.ts'
import { numberOf } from '../carrier/stage.ts'
import { callToValidate } from '../carrier/validation.ts'
import { classicRoutes, formOf } from './classic-resource.ts'
import { isAddress } from './form-fields.ts'
import { badRequest } from './rest-error.ts'

const CALL_DELAY_SECONDS_MAX = 60
const FRIENDLY_NAME_CHARS_MAX = 64
const CODE_MIN = 100_000
const CODE_MAX = 1_000_000

/** Verified caller ids; asking for a new one makes the provider call the number. */
export function callerIdRoutes(carrier: Carrier): HttpRoute[] {
  const { account, clock, problems } = carrier
  return [
    ...classicRoutes(
      {
        prefix: 'PN',
        path: '/OutgoingCallerIds',
        key: 'outgoing_caller_ids',
        store: account.callerIds,
        fields: { friendly_name: 'text' },
        filters: ['phone_number', 'friendly_name'],
        isDeletable: true,
      },
      { account, clock, problems },
    ),
    { method: 'POST', path: '/OutgoingCallerIds.json', handle: (request) => validate(carrier, request) },
  ]
}

function validate(carrier: Carrier, request: HttpRequest): HttpReply {
  const { account } = carrier
  const form = formOf(request)
  const phoneNumber = form.get('PhoneNumber') ?? ''
  const friendlyName = form.get('FriendlyName') ?? phoneNumber
  const callback = form.get('StatusCallback') ?? undefined
  const delaySeconds = numberOf(form.get('CallDelay') ?? undefined, 0)
  if (!/^\+\d{5,15}$/.test(phoneNumber)) throw badRequest(21401, `${phoneNumber} is not a valid phone number`)
  if (account.callerIds.findWhere('phone_number', phoneNumber) !== undefined) {
    throw badRequest(21450, 'Phone number is already verified for your account.')
  }
  if (friendlyName.length > FRIENDLY_NAME_CHARS_MAX) throw badRequest(20001, 'FriendlyName is too long')
  if (delaySeconds > CALL_DELAY_SECONDS_MAX) throw badRequest(20001, 'CallDelay is longer than 60 seconds')
  if (callback !== undefined && !isAddress(callback))
    throw badRequest(21402, `StatusCallback is not valid: ${callback}`)
  const code = String(randomInt(CODE_MIN, CODE_MAX))
  const leg = callToValidate(carrier, { phoneNumber, friendlyName, code, delaySeconds, callback })
  return jsonReply(200, {
    account_sid: account.sid,
    call_sid: leg.sid,
    friendly_name: friendlyName,
    phone_number: phoneNumber,
    validation_code: code,
  })
}
