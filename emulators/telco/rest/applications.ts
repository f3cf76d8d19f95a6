import type { HttpRoute } from '../../http-server.ts'
import { classicRoutes, type RestParts } from './classic-resource.ts'
import type { FieldKinds } from './form-fields.ts'
import { badRequest } from './rest-error.ts'

const FIELDS: FieldKinds = {
  friendly_name: 'text',
  api_version: 'text',
  voice_url: 'address',
  voice_method: 'method',
  voice_fallback_url: 'address',
  voice_fallback_method: 'method',
  voice_caller_id_lookup: 'boolean',
  status_callback: 'address',
  status_callback_method: 'method',
  sms_url: 'address',
  sms_method: 'method',
  sms_fallback_url: 'address',
  sms_fallback_method: 'method',
  sms_status_callback: 'address',
  message_status_callback: 'address',
  public_application_connect_enabled: 'boolean',
}

const FRIENDLY_NAME_CHARS_MAX = 64

/** Markup applications. */
export function applicationRoutes(parts: RestParts): HttpRoute[] {
  return classicRoutes(
    {
      prefix: 'AP',
      path: '/Applications',
      key: 'applications',
      store: parts.account.applications,
      fields: FIELDS,
      filters: ['friendly_name'],
      isCreatable: true,
      isDeletable: true,
      check: checkName,
      complete(values) {
        checkName(values)
        return {
          friendly_name: '',
          voice_url: null,
          voice_method: 'POST',
          voice_fallback_url: null,
          voice_fallback_method: 'POST',
          voice_caller_id_lookup: false,
          status_callback: null,
          status_callback_method: 'POST',
          sms_url: null,
          sms_method: 'POST',
          sms_fallback_url: null,
          sms_fallback_method: 'POST',
          sms_status_callback: null,
          message_status_callback: null,
          public_application_connect_enabled: false,
          ...values,
        }
      },
    },
    parts,
  )
}

function checkName({ friendly_name: name }: Record<string, unknown>): void {
  if (typeof name === 'string' && name.length > FRIENDLY_NAME_CHARS_MAX) {
    throw badRequest(20001, `FriendlyName has more than ${FRIENDLY_NAME_CHARS_MAX} characters`)
  }
}
