import type { Account } from '../account.ts'
import { textOf, type WireRecord } from '../store.ts'
import { type Subscription, subscription } from './call-status.ts'
import type { DocumentSource } from './document.ts'
import { methodOf } from './stage.ts'

/** Where an incoming call asks for its first document, and where its end is reported. */
export interface Entry {
  readonly document: DocumentSource | undefined
  readonly subscription: Subscription | undefined
  readonly extras: Readonly<Record<string, string>>
}

/** The entry of a number; its application, when it has one, is asked in its place. */
export function entryOfNumber(account: Account, number: WireRecord): Entry {
  const application = account.applications.find(textOf(number, 'voice_application_sid') ?? '')
  return application === undefined ? entryOf(number) : entryOfApplication(application)
}

export function entryOfApplication(application: WireRecord): Entry {
  return { ...entryOf(application), extras: { ApplicationSid: application.sid } }
}

/** The entry of a SIP domain, whose fields are called differently. */
export function entryOfDomain(domain: WireRecord, extras: Readonly<Record<string, string>>): Entry {
  const status = {
    status_callback: domain.voice_status_callback_url,
    status_callback_method: domain.voice_status_callback_method,
  }
  return { ...entryOf({ ...domain, ...status }), extras }
}

function entryOf(record: WireRecord): Entry {
  const address = textOf(record, 'voice_url')
  const fallback = textOf(record, 'voice_fallback_url')
  const method = (field: string): 'GET' | 'POST' => methodOf(textOf(record, field))
  return {
    document:
      address === undefined
        ? undefined
        : {
            kind: 'address',
            address,
            method: method('voice_method'),
            fields: {},
            fallback:
              fallback === undefined ? undefined : { address: fallback, method: method('voice_fallback_method') },
          },
    subscription: subscription(textOf(record, 'status_callback'), { method: method('status_callback_method') }),
    extras: {},
  }
}
